/** An esbuild plugin. Our modules do nothing when they are loaded, so that what is not called can be left out. */
export const quietOnLoad = {
  name: 'quiet-on-load',
  setup(step) {
    step.onResolve({ filter: /^\.\.?\// }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'resolved' || from.kind === 'entry-point') return undefined
      const found = await step.resolve(path, { ...from, pluginData: 'resolved' })
      return { path: found.path, errors: found.errors, sideEffects: false }
    })
  },
}
