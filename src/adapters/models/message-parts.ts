import type { ImagePart, TextPart, ToolResultMessage, UserMessage } from '../../core/message.ts'

/** What stands for a content that a provider would refuse as empty. */
const emptyText = '(empty)'

export function partsOf({ content }: UserMessage | ToolResultMessage): (TextPart | ImagePart)[] {
  const parts: (TextPart | ImagePart)[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const filled = parts.filter(part => part.type === 'image' || part.text !== '')
  return filled.length === 0 ? [{ type: 'text', text: emptyText }] : filled
}

/** For a place that takes text alone; an image leaves a mark. */
export function textOnly(message: UserMessage | ToolResultMessage): string {
  return partsOf(message)
    .map(part => (part.type === 'text' ? part.text : `[image: ${part.mimeType}, not shown here]`))
    .join('\n')
}

export function dataUrl({ mimeType, data }: ImagePart): string {
  return `data:${mimeType};base64,${data}`
}

export function bearer(apiKey: string | undefined): Record<string, string> {
  return apiKey === undefined || apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }
}
