import { type Check, isTexts } from './check.ts'
import { isHeading, sectionsOf } from './sections-of.ts'

export const sections: Check = {
  name: 'sections',
  takes: 'a list of headings',
  isArgument: isTexts,
  problems(text, { argument }) {
    const found = sectionsOf(text)
    return (isTexts(argument) ? argument : []).flatMap(wanted => {
      const matching = found.filter(({ heading }) => isHeading(heading, wanted))
      if (matching.length === 0)
        return [`has no section "${wanted}"; add the heading "## ${wanted}" with its content`]
      return matching.some(({ body }) => /[^\s#*_=-]/.test(body)) ? [] : [`the section "${wanted}" is empty`]
    })
  },
}
