import type { AskModel, Reply } from '../../agent/model.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { converse, type Dialect, type ModelWorld } from './converse.ts'
import { ollamaChat } from './ollama-chat.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

/** Asks whichever API a link names. All adapters together are smaller than the cost of opening one more file. */
export function askModel({ http, clock }: ModelWorld): AskModel {
  return async ask => {
    const { api } = ask.link
    if (api === 'offline') {
      const { offlineExtractive } = await import('./offline-extractive.ts')
      return offlineExtractive({ clock })(ask)
    }
    if (api === 'scripted') return noScript
    return converse({ http, clock }, dialects[api], ask)
  }
}

/** Who has a script answers in its place. */
const noScript: Reply = {
  kind: 'refused',
  why: 'format',
  detail: 'no script was given for the scripted model',
}

const dialects: Readonly<
  Record<'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'ollama-chat', Dialect>
> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'anthropic-messages': anthropicMessages,
  'ollama-chat': ollamaChat,
}
