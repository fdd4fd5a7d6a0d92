/** How a kind of token looks. Every pattern is global and has bounded repeats, so that no text makes it slow. */
export interface SecretShape {
  kind: string
  /** What no text of this shape lacks: looking for it is cheaper than the pattern, which is compiled with its first use. */
  hint?: string
  pattern: RegExp
  /** Number of the group that is the secret, where the pattern needs its surroundings. */
  group?: number
}

/** Not preceded by a character of a token: the middle of a word is no token. */
const start = String.raw`(?<![A-Za-z0-9_-])`
const end = String.raw`(?![A-Za-z0-9_-])`

function shape(kind: string, source: string): SecretShape {
  return { kind, hint: literalStart.exec(source)![0], pattern: new RegExp(start + source + end, 'g') }
}

/** The characters at the start of a pattern that stand for themselves, each once. */
const literalStart = /^(?:[A-Za-z0-9_-](?![?*{]))*/

/** Long and particular shapes come first, so that a general one cannot cut them. */
export const secretShapes: readonly SecretShape[] = [
  {
    kind: 'private-key',
    hint: 'PRIVATE KEY',
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?=[\s\S]{0,400}?[A-Za-z0-9+/=]{40})[\s\S]{1,8000}?(?:-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  {
    kind: 'slack-webhook',
    hint: 'hooks.slack',
    pattern: /https?:\/\/hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/[\w/-]{10,200}/g,
  },
  {
    kind: 'discord-webhook',
    hint: '/webhooks/',
    pattern:
      /https?:\/\/(?:\w{1,10}\.)?discord(?:app)?\.com\/api(?:\/v\d{1,3})?\/webhooks\/\d{5,25}\/[\w-]{20,200}/g,
  },
  {
    kind: 'dingtalk-webhook',
    hint: 'oapi.dingtalk.com',
    pattern: /https?:\/\/oapi\.dingtalk\.com\/robot\/send\?access_token=[0-9a-f]{32,128}/g,
  },
  {
    kind: 'feishu-webhook',
    hint: '/open-apis/bot/',
    pattern: /https?:\/\/open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/(?:v2\/)?hook\/[\w-]{20,80}/g,
  },
  {
    kind: 'wecom-webhook',
    hint: 'qyapi.weixin.qq.com',
    pattern: /https?:\/\/qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=[\w-]{20,80}/g,
  },
  {
    kind: 'teams-webhook',
    hint: 'webhook.office.com',
    pattern: /https?:\/\/[\w-]{1,80}\.webhook\.office\.com\/webhookb2\/[\w@/-]{40,300}/g,
  },
  { kind: 'telegram-bot', hint: ':A', pattern: /(?<![0-9A-Za-z_-])(?:bot)?\d{7,11}:A[\w-]{33,35}(?![\w-])/g },
  {
    kind: 'url-password',
    hint: '://',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'<>]{1,100}:([^\s/@"'<>[\]]{3,200})@(?=[\w[])/gi,
    group: 1,
  },
  {
    kind: 'bearer',
    pattern:
      /\b(?:bearer|basic)[ \t]+((?=[A-Za-z+/._~-]{0,200}\d)[A-Za-z0-9+/._~-]{20,2000}={0,2})(?![\w[])/gi,
    group: 1,
  },
  { kind: 'jwt', hint: '.ey', pattern: /(?<![\w-])ey[JA][\w-]{10,2000}\.ey[\w-]{10,4000}\.[\w-]{10,2000}/g },
  shape('anthropic', 'sk-ant-[a-z0-9]{2,10}-[A-Za-z0-9_-]{32,200}'),
  shape('openrouter', 'sk-or-(?:v\\d-)?[A-Za-z0-9]{32,128}'),
  shape('openai', 'sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,300}'),
  shape('openai', 'sk-[A-Za-z0-9]{32,128}'),
  shape('github', 'gh[pousr]_[A-Za-z0-9]{36,255}'),
  shape('github', 'github_pat_[A-Za-z0-9_]{60,255}'),
  shape('gitlab', 'gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-[A-Za-z0-9_-]{20,100}'),
  shape('slack', 'xox[abeoprsd]-(?:\\d-)?[A-Za-z0-9-]{10,250}'),
  shape('slack', 'xapp-\\d-[A-Za-z0-9-]{20,250}'),
  shape('discord-bot', '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6,7}\\.[A-Za-z0-9_-]{27,45}'),
  shape('aws-key', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}'),
  {
    kind: 'aws-secret',
    pattern:
      /\baws_?(?:secret_?)?(?:access_?)?key(?:_?id)?["']?\s{0,4}(?:=>|[:=])\s{0,4}["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    group: 1,
  },
  shape('google', 'AIza[A-Za-z0-9_-]{35}'),
  shape('google', 'GOCSPX-[A-Za-z0-9_-]{24,40}'),
  shape('google', 'ya29\\.[A-Za-z0-9_-]{20,400}'),
  shape('huggingface', '(?:hf|api_org)_[A-Za-z0-9]{34,40}'),
  shape('groq', 'gsk_[A-Za-z0-9]{48,60}'),
  shape('xai', 'xai-[A-Za-z0-9]{60,100}'),
  shape('perplexity', 'pplx-[A-Za-z0-9]{40,60}'),
  shape('replicate', 'r8_[A-Za-z0-9]{36,42}'),
  shape('nvidia', 'nvapi-[A-Za-z0-9_-]{50,100}'),
  shape('tavily', 'tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,60}'),
  shape('firecrawl', 'fc-[0-9a-f]{32}'),
  shape('jina', 'jina_[A-Za-z0-9_-]{40,80}'),
  shape('stripe', '(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,250}'),
  shape('stripe', 'whsec_[A-Za-z0-9+/]{24,100}'),
  shape('npm', 'npm_[A-Za-z0-9]{36}'),
  shape('pypi', 'pypi-AgE[A-Za-z0-9_-]{40,400}'),
  shape('docker', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{24,60}'),
  { kind: 'sendgrid', hint: 'SG.', pattern: /SG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}/g },
  shape('twilio', 'SK[0-9a-f]{32}'),
  shape('mailgun', 'key-[0-9a-f]{32}'),
  shape('digitalocean', 'do[opr]_v1_[0-9a-f]{64}'),
  shape('databricks', 'dapi[0-9a-fA-F]{32}(?:-\\d)?'),
  shape('notion', '(?:ntn_\\d{11}[A-Za-z0-9]{30,40}|secret_[A-Za-z0-9]{43})'),
  shape('linear', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,64}'),
  shape('figma', 'fig[duor]_[A-Za-z0-9_-]{36,80}'),
  shape('shopify', 'shp(?:at|ca|pa|ss)_[A-Za-z0-9]{32}'),
  shape('vault', 'hv[sbr]\\.[A-Za-z0-9_-]{80,200}'),
  shape('grafana', 'gl(?:sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|c_eyJ[A-Za-z0-9+/=]{20,400})'),
  shape('cloudflare', 'cf(?:at|ut|k)_[A-Za-z0-9_-]{40,80}'),
  {
    kind: 'tailscale',
    hint: 'tskey-',
    pattern: /(?<![A-Za-z])tskey-[a-z]{3,12}-[A-Za-z0-9]{10,20}-[A-Za-z0-9]{20,40}(?![A-Za-z0-9])/g,
  },
  shape('vercel', 'vc[pikar]_[A-Za-z0-9]{40,80}'),
  shape('1password', 'ops_eyJ[A-Za-z0-9+/=_-]{200,2000}'),
  shape('age', 'AGE-SECRET-KEY-1[A-Z0-9]{58}'),
  shape('aliyun', 'LTAI[A-Za-z0-9]{16,24}'),
  shape('tencent', 'AKID[A-Za-z0-9]{32}'),
  {
    kind: 'azure',
    hint: 'AccountKey=',
    pattern: /\bAccountKey=([A-Za-z0-9+/]{80,90}={0,2})/g,
    group: 1,
  },
  {
    // A named secret with a value that has letters and digits; `${NAME}` and prose stay.
    kind: 'assigned',
    pattern:
      /(?:api_?-?key|apikey|access_?-?token|auth_?-?token|client_?-?secret|secret_?-?key|_token|_secret|password|passwd)["']?\s{0,4}(?::=|=>|[:=])\s{0,4}["']?((?=[A-Za-z_~.-]{0,60}\d)(?=[\d_~.-]{0,60}[A-Za-z])[A-Za-z0-9_~.+/-]{16,300}={0,2})(?![\w[(])/gi,
    group: 1,
  },
]
