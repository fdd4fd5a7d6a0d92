import { ClawError } from '../../core/claw-error.ts'
import { discordLimit } from '../../core/chunk.ts'
import { isObject } from '../../core/json-schema.ts'
import { parsedJson } from '../../core/parsed-json.ts'
import { wellFormed } from '../../core/well-formed.ts'
import { type Http, HttpError, type HttpResponse, readBodyText } from '../../world/http.ts'
import type { Channel, SendOutcome } from './channel.ts'

const limits = { connectMs: 10_000, idleMs: 15_000, totalMs: 30_000, maxBytes: 1024 * 1024 }

/**
 * A Discord webhook. Blind: it knows no keys. Mentions are never allowed, so no
 * text can ping anyone; link previews are left out. The address is a secret and
 * appears in no message. Throws `config-invalid` for an address that is none.
 */
export function discordWebhookChannel(name: string, http: Http, address: string): Channel {
  const url = webhookUrl(name, address)
  return {
    name,
    kind: 'blind',
    maxUnits: discordLimit,
    async send(text, _key, signal) {
      const body = JSON.stringify({
        content: wellFormed(text),
        allowed_mentions: { parse: [] },
        flags: suppressEmbeds,
      })
      try {
        const response = await http.request({
          method: 'POST',
          url,
          headers: { 'content-type': 'application/json' },
          body,
          ...limits,
          ...(signal && { signal }),
        })
        return await outcomeOf(response)
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        return failed(error)
      }
    },
  }
}

/** Discord's message flag SUPPRESS_EMBEDS. */
const suppressEmbeds = 4

function webhookUrl(name: string, address: string): string {
  const invalid = (why: string): ClawError =>
    new ClawError('config-invalid', `channel ${name}: ${why}`, {
      hint: 'copy the address of the webhook from the settings of the Discord channel',
    })
  if (!URL.canParse(address)) throw invalid('its url is no address')
  const url = new URL(address)
  const isLocal = url.hostname === '127.0.0.1' || url.hostname === 'localhost' || url.hostname === '[::1]'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal))
    throw invalid('its url must begin with https://')
  // With it Discord answers only when the message is there, and with its id.
  url.searchParams.set('wait', 'true')
  return url.href
}

/** `sent` says whether the request may have left: only where it has not is it sure that nothing arrived. */
function failed(error: HttpError): SendOutcome {
  if (!error.sent)
    return {
      kind: 'refused',
      why: `Discord was not reached (${error.kind})`,
      permanent: error.kind === 'bad-url',
    }
  return { kind: 'lost', why: `the connection ended before Discord answered (${error.kind})` }
}

async function outcomeOf(response: HttpResponse): Promise<SendOutcome> {
  const { status, headers } = response
  const body = await bodyOf(response)
  const accepted = status >= 200 && status < 300
  // Discord answers JSON or nothing: a page comes from a proxy or a login in between.
  if (accepted && /^text\/html\b/i.test(headers['content-type'] ?? ''))
    return { kind: 'lost', why: `a web page answered ${status} in place of Discord` }
  if (accepted) return { kind: 'sent', ...(typeof body['id'] === 'string' && { ref: body['id'] }) }
  const why = `Discord answered ${status}${detailOf(body)}`
  if (status === 429) return { kind: 'refused', why, permanent: false, ...retryAfter(body, headers) }
  // A gateway may answer 5xx for a message that went through.
  if (status >= 500 || status === 408) return { kind: 'lost', why }
  return { kind: 'refused', why, permanent: true }
}

/** Once the status is there the outcome is known, whatever becomes of the body. */
async function bodyOf(response: HttpResponse): Promise<Record<string, unknown>> {
  try {
    const value = parsedJson(await readBodyText(response))
    return isObject(value) ? value : {}
  } catch (error) {
    if (error instanceof HttpError) return {}
    throw error
  }
}

function detailOf({ code, message }: Record<string, unknown>): string {
  const parts = [code, message].filter(part => typeof part === 'string' || typeof part === 'number')
  return parts.length === 0 ? '' : ` (${parts.join(' ').slice(0, 200)})`
}

/** Seconds with a fraction in the body; whole seconds in the header. */
function retryAfter(
  body: Record<string, unknown>,
  headers: Record<string, string>,
): { retryAfterMs?: number } {
  const given = body['retry_after'] ?? headers['retry-after']
  const seconds = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
  const isUsable = typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0
  return isUsable ? { retryAfterMs: Math.ceil(seconds * 1000) } : {}
}
