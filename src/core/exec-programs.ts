/** What is known of a program beyond its name: which of its options do more than the name says. */
export interface ProgramProfile {
  /** True when it only shows things, so that its operands need the rules of reading only. */
  readsOnly: boolean
  /** Long options without `--`; abbreviations of them are refused as well. */
  longs?: readonly string[]
  /** Letters of short options, also inside a cluster such as `-xvf`. */
  shorts?: string
  /** Letters whose value may follow in the same word; what comes after them is no option. */
  valued?: string
  /** Words refused as they stand, e.g. the one-dash options of find. */
  words?: RegExp
  /** So many non-option words are no paths: a pattern, a program text. They come first. */
  texts?: number
  /** Options whose presence means that there is no leading text, e.g. `-e` of grep. */
  textOptions?: RegExp
  /** More non-option words than this are refused: the next one would be written to. */
  maxOperands?: number
  /** Options that make it read whole trees; then an operand may not contain secrets further down. */
  recursive?: RegExp
  /** Says itself why a non-option word is refused; `index` counts those words. */
  check?: (word: string, index: number) => string | undefined
}

/** Programs that run other programs: only a command that is on the list word for word. */
export const wrappers = new Set(
  (
    'env busybox toybox xargs parallel sudo doas su nohup timeout gtimeout nice ionice chrt taskset stdbuf setsid setpriv ' +
    'flock time watch script scriptreplay ssh scp sftp sshpass rsync telnet nc ncat netcat socat expect unbuffer ' +
    'eval exec command builtin source . chroot unshare nsenter runuser runcon pkexec systemd-run start-stop-daemon ' +
    'strace ltrace gdb lldb perf valgrind ld.so ld-linux.so.2 ld-linux-x86-64.so.2 entr at batch crontab daemonize ' +
    'screen tmux dtach coproc trap find2perl capsh firejail bwrap proot fakeroot faketime dbus-run-session ' +
    'make gmake cmake ninja rake ant gradle mvn just task npm npx pnpm yarn bun bunx deno pip pip3 pipx uv uvx cargo go ' +
    'docker podman kubectl nerdctl vagrant ansible ansible-playbook terraform nix nix-shell guix conda poetry tox nox ' +
    'gcc g++ cc c++ clang tcc rustc javac ghc ld as m4 cpp osascript open xdg-open start explorer ' +
    'vi vim nvim view ex ed emacs emacsclient nano pico joe less more most man info pg mail mutt ftp lynx w3m links ' +
    'gpg openssl apt apt-get dpkg rpm yum dnf snap brew split csplit cpio ar zip 7z 7za git-shell git-upload-pack ' +
    'sqlite3 mysql psql redis-cli mongo mongosh gnuplot octave R Rscript julia dc bc ' +
    'mount umount insmod modprobe service systemctl launchctl tclsh wish jrunscript jshell java dotnet mono erl elixir iex scala kotlin ghci runghc'
  ).split(' '),
)

/** Programs that run a text: only where the list names the script. */
export const interpreters =
  /^(ba|da|a|k|mk|z|c|tc|fi|pwsh|power)?sh(ell)?(\d[\d.]*)?$|^(python|pypy|perl|ruby|node|nodejs|php|lua|luajit|tsx|ts-node|raku|guile|racket|sbcl|awk|gawk|mawk|nawk|original-awk|pwsh|elvish|nu|xonsh|rbash|fish)[\d.]*$/

const textFilters = {
  readsOnly: true,
  longs: ['files0-from', 'output', 'temporary-directory', 'random-source', 'compress-program'],
} as const
const checksums = { readsOnly: true, longs: ['check', 'files0-from'], shorts: 'c' } as const

const grep: ProgramProfile = {
  readsOnly: true,
  longs: ['file', 'exclude-from', 'dereference-recursive', 'directories', 'devices'],
  shorts: 'fRdD',
  texts: 1,
  valued: 'ABCme',
  textOptions: /^(-[^-]*e|--reg)/,
  recursive: /^(-[A-Za-z]*r|--r)/,
}

/** Only these shapes of a sed script: print, delete or quit by line or pattern, and a substitution without `e` or `w`. */
const sedScript =
  /^((\d+|\$|\/[^/\\]+\/)(,(\d+|\$|\/[^/\\]+\/))?!?\s*)?([pdq=]|s([/|,#])((?!\6)[^\\\n;{}])*\6((?!\6)[^\\\n;{}])*\6[gpiI0-9]*)$/

function checkSed(word: string, index: number): string | undefined {
  if (index > 0 || sedScript.test(word)) return undefined
  return 'this sed script may write files or run programs; only single p, d, q and s/// commands are run'
}

function checkUrl(word: string): string | undefined {
  return /^https?:\/\/[^@]*$/i.test(word) ? undefined : 'only plain http and https addresses are fetched'
}

export const profiles: Readonly<Record<string, ProgramProfile>> = {
  cat: { readsOnly: true },
  tac: { readsOnly: true },
  nl: { readsOnly: true },
  head: { readsOnly: true },
  tail: { readsOnly: true, longs: ['follow', 'retry', 'pid', 'zero'], shorts: 'fF', valued: 'ncs' },
  ls: { readsOnly: true },
  tree: {
    readsOnly: true,
    longs: ['fromfile', 'fromtabfile', 'output', 'gitfile', 'infofile'],
    shorts: 'ol',
  },
  stat: { readsOnly: true },
  file: {
    readsOnly: true,
    longs: ['files-from', 'magic-file', 'compile', 'uncompress', 'uncompress-noreport'],
    shorts: 'fmCzZ',
  },
  du: { readsOnly: true, longs: ['files0-from', 'exclude-from', 'dereference'], shorts: 'XLD' },
  df: { readsOnly: true },
  wc: textFilters,
  cut: textFilters,
  tr: { readsOnly: true, texts: 2 },
  fold: textFilters,
  paste: textFilters,
  comm: { readsOnly: true },
  join: { readsOnly: true },
  column: { readsOnly: true },
  rev: { readsOnly: true },
  od: { readsOnly: true },
  strings: { readsOnly: true, check: word => (word.startsWith('@') ? '@file is refused' : undefined) },
  hexdump: { readsOnly: true, shorts: 'f' },
  xxd: { readsOnly: true, shorts: 'r', words: /^-{1,2}r/, maxOperands: 1 },
  uniq: { readsOnly: true, maxOperands: 1 },
  sort: { ...textFilters, shorts: 'oTS', valued: 'kt' },
  shuf: { ...textFilters, shorts: 'o' },
  cmp: { readsOnly: true },
  diff: {
    readsOnly: true,
    longs: ['from-file', 'to-file', 'exclude-from', 'starting-file'],
    shorts: 'XS',
    recursive: /^(-[A-Za-z]*r|--r)/,
  },
  basename: { readsOnly: true, texts: 99 },
  dirname: { readsOnly: true, texts: 99 },
  realpath: { readsOnly: true },
  readlink: { readsOnly: true },
  pwd: { readsOnly: true },
  whoami: { readsOnly: true },
  id: { readsOnly: true },
  uname: { readsOnly: true },
  nproc: { readsOnly: true },
  uptime: { readsOnly: true },
  cal: { readsOnly: true },
  seq: { readsOnly: true, texts: 99 },
  expr: { readsOnly: true, texts: 99 },
  true: { readsOnly: true },
  false: { readsOnly: true },
  echo: { readsOnly: true, texts: Number.POSITIVE_INFINITY },
  printf: { readsOnly: true, texts: Number.POSITIVE_INFINITY },
  date: {
    readsOnly: true,
    longs: ['file', 'set', 'reference'],
    shorts: 'fsr',
    valued: 'dI',
    check: word => (/^\d{8,}(\.\d+)?$/.test(word) ? 'setting the clock is refused' : undefined),
  },
  hostname: { readsOnly: true, longs: ['file', 'boot'], shorts: 'Fb', maxOperands: 0 },
  md5sum: checksums,
  sha1sum: checksums,
  sha256sum: checksums,
  sha512sum: checksums,
  cksum: checksums,
  b2sum: checksums,
  shasum: checksums,
  base64: { readsOnly: true },
  grep,
  egrep: grep,
  fgrep: grep,
  rg: {
    readsOnly: true,
    longs: [
      'pre',
      'pre-glob',
      'hostname-bin',
      'search-zip',
      'file',
      'ignore-file',
      'follow',
      'unrestricted',
      'hidden',
      'no-ignore',
    ],
    shorts: 'zfLu.',
    valued: 'ABCmegtTMjr',
    texts: 1,
    textOptions: /^(-[^-]*e|--regexp|--files|--type-list)/,
    words: /^--no-ignore/,
  },
  find: { readsOnly: true, words: /^-(exec|execdir|ok|okdir|delete|fprint.*|fls|files0-from|L|follow)$/i },
  fd: {
    readsOnly: true,
    longs: ['exec', 'exec-batch', 'hidden', 'no-ignore', 'unrestricted', 'follow', 'list-details'],
    shorts: 'xXHIuLl',
    texts: 1,
  },
  sed: {
    readsOnly: true,
    longs: ['in-place', 'file', 'expression', 'follow-symlinks', 'debug', 'null-data'],
    shorts: 'ife',
    check: checkSed,
    texts: 1,
  },
  jq: {
    readsOnly: true,
    longs: ['from-file', 'library-path', 'argfile', 'rawfile', 'slurpfile', 'run-tests'],
    shorts: 'fL',
    texts: 1,
    check: word =>
      /\b(import|include|env|\$ENV|input_filename|get_search_list|\$__prog_args)\b|\$ENV/.test(word)
        ? 'this jq program reads more than its input'
        : undefined,
  },
  tar: {
    readsOnly: false,
    longs: [
      'to-command',
      'checkpoint-action',
      'checkpoint',
      'use-compress-program',
      'rsh-command',
      'rmt-command',
      'info-script',
      'new-volume-script',
      'files-from',
      'exclude-from',
      'extract',
      'get',
      'absolute-names',
      'directory',
      'unlink-first',
      'overwrite',
      'dereference',
      'remove-files',
      'delete',
      'index-file',
      'volno-file',
      'listed-incremental',
      'transform',
      'xform',
    ],
    shorts: 'xIFTXPCUhg',
    valued: 'f',
    words: /:/,
    check: (word, index) =>
      index === 0 && /^[A-Za-z]+$/.test(word) && /[xIFTXPCUhg]/.test(word)
        ? 'this way of tar writes or runs more than an archive'
        : undefined,
  },
  curl: {
    readsOnly: true,
    words: /^(?!(-[sSfLIv]+|--silent|--fail|--location|--head|--show-error|--compressed)$)-/,
    texts: 99,
    check: checkUrl,
  },
  wget: { readsOnly: true, words: /^(?!(-q|--quiet|--spider)$)-/, texts: 99, check: checkUrl },
}

/** Whether a long option is one of `names`, whole or as a GNU abbreviation, with or without a value. */
export function isLongOption(word: string, names: readonly string[]): boolean {
  const name = /^--([^=]+)/.exec(word)?.[1]
  return name !== undefined && names.some(known => known.startsWith(name) || name === known)
}

/** Whether a word such as `-nf` or `-fname` may hold one of these letters as an option. */
export function hasShortOption(word: string, letters: string, valued = ''): boolean {
  if (!/^-[^-]/.test(word)) return false
  for (const letter of word.slice(1)) {
    if (letters.includes(letter)) return true
    if (valued.includes(letter)) return false
  }
  return false
}
