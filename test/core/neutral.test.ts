import assert from 'node:assert/strict'
import { test } from 'node:test'
import { neutral } from '../../src/core/neutral.ts'

const hostile: readonly string[] = [
  '\u001b[31mred\u001b[0m',
  '\u001b[2J',
  '\u001b[H',
  '\u001b[1A\u001b[2K',
  '\u001b[?25l',
  '\u001b[?1049h',
  '\u001b[6n',
  '\u001b[5i',
  '\u001bc',
  '\u001b7\u001b8',
  '\u001b]0;title\u0007',
  '\u001b]2;title\u001b\\',
  '\u001b]8;;http://evil.example\u001b\\text\u001b]8;;\u001b\\',
  '\u001b]52;c;ZWNobw==\u0007',
  '\u001b]1337;File=x\u0007',
  '\u001b]0;no end',
  '\u001bPq#0\u001b\\',
  '\u001bX sos \u001b\\',
  '\u001b^pm\u001b\\',
  '\u001b_apc\u001b\\',
  '\u009b31m',
  '\u009d0;t\u009c',
  '\u0090q\u009c',
  '\u0085',
  '\u008d',
  '\u009b2J',
  '\u001b(0',
  '\u001b#8',
  '\u001b%G',
  '\u001b=',
  'a\bb',
  'a\u007f',
  'safe\roverwritten',
  '\u0000',
  '\u0007',
  '\u000e\u000f',
  '\u000b\u000c',
  '\u202Eevil\u202C',
  '\u2066x\u2069',
  '\u200Fx',
  '\u061Cx',
  '\uFEFFx',
  '\u{E0001}\u{E0068}\u{E0069}',
  'x\u{E0041}',
  '\u{1F3F4}\u{E0041}\u{E0042}',
  '\u001b\u001b[2J[2J',
  '\u001b[\u001b[2J',
  'e' + '\u0301'.repeat(50),
  '\uFFF9x\uFFFAy\uFFFB',
  '\uD800',
  'a\u2028b',
  '\u2063\u2064',
]
const raw =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|\p{Surrogate}|\p{M}{9}/u
const tag = /(?<!\u{1F3F4}[\u{E0030}-\u{E007A}]*)[\u{E0000}-\u{E007F}]/u

const ordinary: Record<string, string> = {
  latin: 'Zażółć gęślą jaźń, naïve façade',
  greek: 'Ξεσκεπάζω τὴν ψυχοφθόρα',
  cyrillic: 'Съешь ещё этих мягких булок',
  hebrew: 'בְּרֵאשִׁית בָּרָא אֱלֹהִים',
  arabic: 'اَلسَّلَامُ عَلَيْكُمْ',
  persian: 'می\u200cخواهم',
  hindi: 'क्षत्रिय \u0915\u094d\u200d\u0937',
  bengali: 'বাংলা ভাষা',
  tamil: 'தமிழ் மொழி',
  thai: 'ภาษาไทย น้ำ ที่',
  khmer: 'ភាសា\u200bខ្មែរ',
  tibetan: 'བོད་ཡིག་ཧཱུྃ',
  korean: '한국어 텍스트',
  japanese: '日本語のテキスト が',
  chinese: '晨间简报：重点三条',
  vietnamese: 'Tiếng Việt ở đây',
  emoji: '👩‍👩‍👧‍👦 🏳️‍🌈 🇨🇳 👍🏽 ❤️ 1️⃣ \u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
  layout: 'a\tb\n  c\n',
}

test('nothing that moves, hides or reorders reaches the terminal', () => {
  assert.ok(hostile.length >= 50)
  for (const text of hostile) {
    const shown = neutral(`before ${text} after`)
    assert.ok(!raw.test(shown) && !tag.test(shown), JSON.stringify(shown))
    assert.ok(shown.startsWith('before') && shown.endsWith('after'), JSON.stringify(shown))
  }
})

test('a filter for colour codes only, the broken twin, lets most of it through', () => {
  // oxlint-disable-next-line no-control-regex
  const twin = (text: string): string => text.replace(/\u001b\[[\d;]*m/g, '')
  assert.ok(hostile.filter(text => raw.test(twin(text)) || tag.test(twin(text))).length > 40)
})

test('ordinary scripts and emoji come through unchanged', () => {
  for (const [name, text] of Object.entries(ordinary)) assert.equal(neutral(text), text, name)
})

test('what is neutral stays as it is', () => {
  for (const text of hostile) assert.equal(neutral(neutral(text)), neutral(text))
})
