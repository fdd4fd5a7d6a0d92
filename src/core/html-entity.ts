const latin1 = (
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 ' +
  'acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml ' +
  'Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde ' +
  'Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ' +
  'ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide ' +
  'oslash ugrave uacute ucirc uuml yacute thorn yuml'
).split(' ')

const others =
  'amp:38 lt:60 gt:62 quot:34 apos:39 AMP:38 LT:60 GT:62 QUOT:34 COPY:169 REG:174 OElig:338 oelig:339 ' +
  'Scaron:352 scaron:353 Yuml:376 fnof:402 circ:710 tilde:732 Alpha:913 Beta:914 Gamma:915 Delta:916 ' +
  'Theta:920 Lambda:923 Pi:928 Sigma:931 Omega:937 alpha:945 beta:946 gamma:947 delta:948 epsilon:949 ' +
  'theta:952 lambda:955 mu:956 pi:960 rho:961 sigma:963 tau:964 phi:966 omega:969 ensp:8194 emsp:8195 ' +
  'thinsp:8201 zwnj:8204 zwj:8205 lrm:8206 rlm:8207 hyphen:8208 ndash:8211 mdash:8212 horbar:8213 ' +
  'lsquo:8216 rsquo:8217 sbquo:8218 ldquo:8220 rdquo:8221 bdquo:8222 dagger:8224 Dagger:8225 bull:8226 ' +
  'hellip:8230 permil:8240 prime:8242 Prime:8243 lsaquo:8249 rsaquo:8250 euro:8364 trade:8482 larr:8592 ' +
  'uarr:8593 rarr:8594 darr:8595 harr:8596 rArr:8658 sum:8721 minus:8722 radic:8730 infin:8734 ' +
  'asymp:8776 ne:8800 le:8804 ge:8805 check:10003 num:35 excl:33 lpar:40 rpar:41 comma:44 period:46 ' +
  'colon:58 semi:59 Tab:9 NewLine:10 commat:64 lsqb:91 rsqb:93 lcub:123 rcub:125 vert:124 sol:47 bsol:92 lowbar:95 grave:96 ast:42'

const named: Readonly<Record<string, number>> = {
  ...Object.fromEntries(latin1.map((name, index) => [name, 160 + index])),
  ...Object.fromEntries(
    others
      .split(' ')
      .map(pair => pair.split(':'))
      .map(([name, code]) => [name, Number(code)]),
  ),
}

/** What windows-1252 has at 128-159, where Latin-1 has control characters; browsers read references to them so too. */
const windows1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'

/** One level of references becomes characters; a name that is not known stays as it is. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,8})|#(\d{1,8})|([a-z][a-z0-9]{1,15}));/gi,
    (whole, hex, decimal, name) => {
      if (name !== undefined) {
        return Object.hasOwn(named, name) ? String.fromCodePoint(named[name]!) : whole
      }
      return character(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
    },
  )
}

function character(code: number): string {
  if (code >= 128 && code <= 159) return windows1252[code - 128]!
  const isScalar = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isScalar ? String.fromCodePoint(code) : '\ufffd'
}

/** Latin-1 control characters, which are windows-1252 that was read as Latin-1. */
export function asWindows1252(text: string): string {
  return text.replace(/[\u0080-\u009f]/g, control => windows1252[control.charCodeAt(0) - 128]!)
}
