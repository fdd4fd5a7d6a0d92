// Which file of dist/ a part lies in, and what such a file is.

/** For what none of the commands of `used` loads. */
const rest = 'rest'

/**
 * `used` maps the name of a command to the parts that it loads; the answer maps each
 * part to a file. Parts that the same commands load share a file, so that a command opens few
 * and reads nothing that it does not use; a package has a file of its own.
 */
export function packs(parts, used) {
  return new Map(
    parts.map(({ name, package: ofPackage }) => {
      const commands = Object.keys(used).filter(command => used[command].has(name))
      return [name, ofPackage ?? (commands.join('-') || rest)]
    }),
  )
}

/** The text of each file of dist/ that holds parts. */
export function packTexts(parts, fileOf) {
  const texts = new Map()
  for (const { name, code } of parts) {
    const file = fileOf.get(name)
    const found = code.replaceAll(/load\("%([^"]+)%"/g, (_, part) => `load("${fileOf.get(part)}"`)
    texts.set(file, `${texts.get(file) ?? head}exports["${name}"] = function (load) {\n${found}\n};\n`)
  }
  return texts
}

const head = `"use strict";\nconst ownUrl = require("node:url").pathToFileURL(__filename).href;\n`
