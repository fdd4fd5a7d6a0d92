/** Marks on one letter; real scripts need fewer, piles of them cover the lines around. */
const maxMarks = 6

// oxlint-disable-next-line no-control-regex
const csi = /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]/g
/** OSC, DCS, SOS, PM, APC with their end. One without an end loses its start only, so that it swallows no text. */
const strings = // oxlint-disable-next-line no-control-regex
  /(?:\u001B[\]PX^_]|[\u009D\u0090\u0098\u009E\u009F])[^\u0007\u001B\u009C\n]{0,4096}(?:\u0007|\u001B\\|\u009C)/g
// oxlint-disable-next-line no-control-regex
const escapes = /\u001B[ -/]*[0-~]?/g
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g
/** Bidi controls, invisible operators, interlinear marks, byte order marks. ZWJ, ZWNJ and ZWSP stay: scripts and emoji need them. */
const invisible = /[\u061C\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/g
/** A run of tag characters, with the black flag before it where it spells a region. */
const tags = /(\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F})|[\u{E0000}-\u{E007F}]+/gu

/** What nothing here can find fault with: most texts of this program, and then the tables of Unicode stay unread. */
const plain = /^[\t\n -~]*$/

/**
 * Text that cannot move the cursor, set a title, reach the clipboard, hide or
 * reorder what a person reads. Ordinary scripts and emoji come through unchanged.
 */
export function neutral(text: string): string {
  if (plain.test(text)) return text
  piles ??= new RegExp(String.raw`(\p{M}{${maxMarks}})\p{M}+`, 'gu')
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(csi, '')
    .replace(strings, '')
    .replace(escapes, '')
    .replace(controls, '')
    .replace(invisible, '')
    .replace(tags, (_run: string, flag: string | undefined) => flag ?? '')
    .replace(piles, '$1')
    .replace(/\p{Surrogate}/gu, '\uFFFD')
}

let piles: RegExp | undefined
