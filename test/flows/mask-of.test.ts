import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Config } from '../../src/core/config.ts'
import { maskOf } from '../../src/flows/mask-of.ts'

test('a key that no provider names any more is masked too; words and paths of the environment are not', () => {
  const config = { models: { providers: {} }, channels: {} } as unknown as Config
  const env = {
    OLD_API_KEY: 'hunter2-very-secret-value',
    TEAM_TOKEN_2: 'plumTree77xylophone',
    SECRET: 'production',
    TZ: 'Asia/Shanghai1234',
  }
  const mask = maskOf(config, env)
  for (const secret of [env.OLD_API_KEY, env.TEAM_TOKEN_2])
    assert.equal(mask(`is ${secret}.`), 'is [masked:secret].')
  for (const plain of [env.SECRET, env.TZ]) assert.equal(mask(plain), plain)
})
