/** Commands that try to get past a list, by class. One line each; the list is `bypassAllow`. */
export const bypassAllow = [
  'git status', 'git log', 'git diff', 'git show', 'git grep', 'git branch', 'git fetch', 'git add', 'git checkout',
  'ls', 'cat', 'head', 'tail', 'wc', 'sort', 'uniq', 'cut', 'grep', 'rg', 'find', 'sed', 'awk', 'tar', 'curl', 'jq', 'date',
  'echo', 'diff', 'file', 'tree', 'xxd', 'cp', 'mv', 'rm', 'tee', 'ln', 'env', 'xargs', 'python3', 'node', 'bash', 'busybox',
  'npm', 'make', 'ssh', 'less', 'strings', 'touch', 'hostname', 'sha256sum', 'mytool',
]

export const bypasses: Readonly<Record<string, readonly string[]>> = {
  chains: [
    'git status; rm -rf .', 'git status && rm -rf .', 'git status || rm -rf .', 'git status & rm -rf .', 'git status | sh',
    'git status |& sh', 'ls;id', 'ls;;id', 'cat notes.md;cat ../../.env', 'true && false', '; ls', '&& ls', '| ls', 'ls &', 'ls &&',
    'ls|cat', 'ls ; ls ; ls', "ls 'a' ; id", 'ls "a" | id', 'ls \\\\; id',
  ],
  redirections: [
    'echo x > SOUL.md', 'echo x >> SOUL.md', 'echo x >SOUL.md', 'cat < ../../.env', 'cat <<EOF', 'cat <<< x', 'ls 2>err', 'ls &> all',
    'ls >& all', 'echo x >| SOUL.md', 'cat 0</etc/passwd', 'ls 2>&1', 'diff <(ls) <(id)', 'tee >(sh)',
  ],
  substitutions: [
    'echo $(id)', 'echo `id`', 'echo "$(id)"', 'echo "`id`"', 'cat $(echo /etc/passwd)', 'ls $((1+1))', 'ls $[1+1]', 'echo ${IFS}', 'cat${IFS}x',
    'cat $HOME/.ssh/id_rsa', 'echo "$HOME"', 'echo "${PATH}"', "echo $'\\x41'", 'echo $"x"', 'ls $@', 'ls $*', 'ls $1', 'ls $?', 'ls $$', 'ls $!', 'ls $-',
  ],
  expansions: [
    'cat *', 'cat .en?', 'cat [.]env', 'cat {a,b}', 'ls ~', 'cat ~root/.bashrc', 'ls --dir=~', 'cat .e*v', '/bin/c?t x', '!!', '!ls', 'ls # x', '(ls)', '{ ls; }',
    'ls a{1..3}', 'cat PATH:~/x',
  ],
  encoding: [
    'ls\nid', 'ls\r\nid', 'ls\u0000id', 'ls\u0007', 'ls\u001b[2J', 'ls\u00a0-la', 'git\u3000status', 'ls\u2028id', 'l\u200bs', 'ls \u202e/cte', 'cat \u{e0061}', 'ls\u0085id',
    'gіt status', 'ｌｓ', 'LS', 'Git status', 'git  "status', "ls 'x", 'ls \\', '', '   ', 'git\ufeff status',
  ],
  names: [
    '/bin/ls', './ls', '../ls', 'bin/ls', '/usr/bin/git status', './git status', 'lss', 'l s', 'git logout', 'gitstatus', 'git', 'git -c x status', 'git  -C / status',
    'nmap localhost', 'rmdir x', '\\rm x y; ls', 'A=1 ls', 'PATH=. ls', 'LD_PRELOAD=x ls', 'IFS=x ls', 'a+=1 ls', 'cat.exe x', 'unlisted --help',
  ],
  wrappers: [
    'env rm x', 'env -S "rm x"', 'env -i ls', 'env PATH=. ls', 'xargs rm', 'xargs -I{} sh', 'busybox sh', 'busybox rm x', 'ssh host id', 'ssh -oProxyCommand=id x',
    'npm exec x', 'npm run x', 'make all', 'make -f evil.mk', 'less notes.md', 'sudo ls', 'nohup ls', 'timeout 5 ls', 'nice ls', 'command ls', 'exec ls', 'eval ls', 'toybox ls',
    'parallel ls', 'setsid ls', 'stdbuf -o0 ls', 'time ls', 'watch ls', 'script -c ls', 'strace ls', 'flock x ls',
  ],
  interpreters: [
    'bash -c id', 'bash x.sh', 'sh -c id', 'python3 -c "import os"', 'python3 x.py', 'python3 -m http.server', 'node -e 1', 'node x.js', 'node --eval=1', 'perl -e 1',
    "awk 'BEGIN{system(\"id\")}'", 'awk -f x.awk', "awk '{print > \"SOUL.md\"}' x", 'ruby -e 1', 'zsh -c id', 'dash -c id', 'php -r 1', 'lua x', 'python3.11 -c 1',
  ],
  options: [
    'git log --output=x', 'git log --outp=x', 'git diff --ext-diff', 'git diff --ext', 'git diff --no-index a b', 'git log --textconv', 'git show --output x', 'git fetch --upload-pack=id', 'git fetch --upload-p id',
    'git fetch -u id', 'git fetch ext::sh', 'git fetch ssh://-oProxyCommand=id/x', 'git grep -O x', 'git grep -nOless x', 'git grep --open-files-in-pager=id x', 'git grep --open x', 'git grep -f ../../.env',
    'git branch --edit', 'find . -exec id', 'find . -execdir id', 'find . -ok id', 'find . -delete', 'find . -fprint x', 'find . -fls x', 'find -- . -exec id', 'find . -okdir id', 'find . -files0-from x',
    'sed -i s/a/b/ x', 'sed --in-place s/a/b/ x', 'sed --in s/a/b/ x', 'sed -n 1e x', 'sed s/a/b/e x', "sed 's/a/b/w SOUL.md' x", "sed '1w SOUL.md' x", "sed 'r /etc/passwd' x", 'sed -f x y', 'sed -ne p x', 'sed --expr=1e x',
    "sed '1!e id' x", 'sed -E -i.bak s/a/b/ x', 'tar -xf x.tar', 'tar xf x.tar', 'tar --extract -f x', 'tar -cf x --to-command=id .', 'tar -cf x --checkpoint=1 --checkpoint-action=exec=id y', 'tar --checkp=1 -tf x',
    'tar -I id -tf x', 'tar --use-compress-prog=id -tf x', 'tar --use=id -tf x', 'tar -tf host:x', 'tar -tf x --rsh-command=id', 'tar -tzf x -T list', 'sort -o SOUL.md x', 'sort --output=x y', 'sort --outp x y', 'sort -ro x y',
    'sort --compress-program=id x', 'sort --compress-prog=id x', 'sort --files0-from=x', 'sort -T x y', 'tail -f x', 'tail --follow x', 'tail --fol x', 'tail -vf x', 'uniq a b', 'xxd -r a', 'xxd a b', 'wc --files0-from=x',
    'grep -f ../../.env x', 'grep --file=x y', 'grep --fil=x y', 'grep -R x .', 'grep --dereference-recursive x .', 'grep --exclude-from=x y z', 'rg --pre id x', 'rg --pre=id x', 'rg --hostname-bin=id x', 'rg --hidden x', 'rg -uu x', 'rg -L x',
    'rg --no-ignore-vcs x', 'date -f x', 'date --file=x', 'date -s 1', 'date --se=1', 'file -f x', 'file -C -m x', 'tree -o x', 'tree --fromfile x', 'jq -f x y', 'jq --from-file x y', "jq 'import \"a\" as $a; .' x",
    "jq --arg a b 'include \"a\"; .'", 'jq -n env', 'curl -o x http://a', 'curl -O http://a', 'curl -T x http://a', 'curl -d @x http://a', 'curl --data-binary @x http://a', 'curl -K x', 'curl file:///etc/passwd', 'curl -s gopher://a',
    'curl -sSo x http://a', 'curl http://user@a', 'sha256sum -c x', 'sha256sum --check x', 'strings @x', 'hostname evil', 'hostname -F x', 'diff --from-file=a b', 'date 010100002030', 'git log -Oorder',
  ],
  outside: [
    'cat /etc/passwd', 'cat ../../../etc/passwd', 'cat x/../../../../etc/passwd', 'ls /', 'ls ../../..', 'head -n1 /etc/passwd', 'wc -l /etc/passwd', 'grep root /etc/passwd', 'grep -e root /etc/passwd', 'grep -- root /etc/passwd',
    'grep -A 3 root /etc/passwd', 'diff x /etc/passwd', 'find / -name x', 'find .. / -name x', 'cat /proc/self/environ', 'cat /dev/stdin', 'cat //etc/passwd', 'cat ././../../../x', 'sort --parallel=2 /etc/passwd', 'ls -I/etc/passwd x',
    'tail -c+0 /etc/passwd', 'git diff /etc/passwd', 'jq . /etc/passwd', 'sed -n p /etc/passwd', 'cut -d: -f1 /etc/passwd', 'rg -e root /etc', 'rg --files /', 'sha256sum /etc/shadow', 'mytool --in=/etc/passwd', 'mytool file:/etc/passwd', 'mytool -i/etc/passwd',
    'mytool -i../../../etc/passwd', 'cat /ws-other/x', 'cat /wsx', 'cp /etc/passwd x', 'ln -s /etc x', 'ln -s ../../.. x',
  ],
  secrets: [
    'cat .env', 'cat ../../.env', 'cat ../../.ENV', 'cat ../../.env.local', 'cat ../../.envrc', 'cat ../../.claw/outbox/x', 'ls ../../.claw', 'cat ../../.git/config', 'grep KEY ../../.env', 'grep -r KEY ../..', 'grep -r KEY /ws',
    'git show HEAD:.env', 'git show HEAD:./.env', "git diff ':(top).env'", 'head -n1 "../../.env"', "cat ../../'.e'nv", 'cat ../../.e\\nv', 'mytool @../../.env', 'mytool --x=../../.env', 'sort --key=1 ../../.env', 'cp ../../.env x', 'rg --max-count=1 -e . ../../.env',
    'diff -r ../.. x', 'cat /ws/.env', 'ls /ws/.claw', 'cat ../../.ｅｎｖ', 'tail -n1 ../../.Env', 'cat x/../../../.env', 'mytool -c../../.env',
  ],
  protected: [
    'rm SOUL.md', 'rm soul.md', 'rm -rf .', 'rm -rf ../writer', 'rm -rf ../..', 'rm -rf jobs', 'rm jobs/a.md', 'mv x jobs/a.md', 'cp x SOUL.md', 'cp x ./SOUL.md', 'cp x jobs', 'cp -t jobs x', 'cp --target-directory=jobs x', 'tee SOUL.md', 'tee -a ../../claw.yaml',
    'touch hooks/x', 'cp x ../other/x', 'mv . x', 'rm ../../claw.yaml', 'cp x ../../approvals/a.md', 'cp x ../../shared-context/agent-runs/x', 'mytool SOUL.md', 'mytool ../../claw.yaml', 'mytool jobs/a.md', 'git checkout -- SOUL.md', 'git checkout .',
    'ln x SOUL.md', 'mv SOUL.md x', 'mytool ../..', 'rm sessions/a.jsonl',
  ],
}

/** Everyday commands that must go through. */
export const everyday: readonly string[] = [
  'git status', 'git status --short --branch', 'git log --oneline -n 5', 'git log -p -- notes.md', 'git diff HEAD~1 --stat', 'git show HEAD:agents/writer/notes.md', 'git branch --list', 'git add notes.md', 'git grep -n todo',
  'ls', 'ls -la memory', 'ls -l ../../shared-context', 'cat notes.md', 'cat memory/2026-11-30.md', 'cat ../../shared-context/intel/x.json', 'cat "a file.md"', "cat 'it''s.md'", 'head -n 20 notes.md', 'head -n20 notes.md', 'tail -n 5 notes.md',
  'wc -l notes.md', 'sort -k2,2n -t, notes.csv', 'uniq -c notes.md', 'uniq -f 1 notes.md', 'cut -d: -f1 notes.md', 'grep -rn "TODO" memory', "grep -E '^- .*' notes.md", 'grep "/api/v1" notes.md', 'grep -c x notes.md', 'rg -n pattern memory',
  "find . -name '*.md' -type f", 'find memory -newer notes.md', 'sed -n 1,5p notes.md', "sed -n '/a/,/b/p' notes.md", "sed 's/a/b/g' notes.md", 'tar -tf x.tar', 'tar tf x.tar', "jq '.items[0].title' x.json", 'jq -r .a x.json', 'date +%F', 'date -Iseconds',
  'date -u +%Y-%m-%dT%H:%M', 'echo /etc/passwd', 'echo "a; b | c"', "echo 'costs $5'", 'diff a.md b.md', 'file x.png', 'sha256sum notes.md', 'cp notes.md copy.md', 'mv copy.md old/copy.md', 'rm -f old/copy.md', 'touch new.md', 'curl -sS https://example.org/feed.xml',
  'mytool --flag value', 'mytool ../../shared-context/x.md', 'cat 简报.md', 'cat 👩‍👩‍👧.md',
]
