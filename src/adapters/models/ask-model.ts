import type { AskModel, Reply } from '../../agent/model.ts'
import type { Dialect, ModelWorld } from './converse.ts'

export interface AskModelOptions extends ModelWorld {
  /** Stands in for `offline`; without it the offline model only says what to configure. */
  offline?: AskModel
  /** Stands in for `scripted`. */
  scripted?: AskModel
}

/** Asks whichever API a link names. An adapter is loaded when it is first asked. */
export function askModel({ http, clock, offline, scripted }: AskModelOptions): AskModel {
  return async ask => {
    const { api } = ask.link
    if (api === 'offline') {
      return offline
        ? offline(ask)
        : (await import('./offline-extractive.ts')).offlineExtractive({ clock })(ask)
    }
    if (api === 'scripted') return scripted ? scripted(ask) : noScript
    const { converse } = await import('./converse.ts')
    return converse({ http, clock }, await dialects[api](), ask)
  }
}

const noScript: Reply = {
  kind: 'refused',
  why: 'format',
  detail: 'no script was given for the scripted model',
}

const dialects: Record<
  'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'ollama-chat',
  () => Promise<Dialect>
> = {
  'openai-chat': async () => (await import('./openai-chat.ts')).openaiChat,
  'openai-responses': async () => (await import('./openai-responses.ts')).openaiResponses,
  'anthropic-messages': async () => (await import('./anthropic-messages.ts')).anthropicMessages,
  'ollama-chat': async () => (await import('./ollama-chat.ts')).ollamaChat,
}
