import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findBlock, withBlock, withoutBlock } from '../../src/core/crontab-block.ts'
import { digest } from './render/plan-rig.ts'
import { foreignTables } from './foreign-tables.ts'

const mark = { root: '/home/x/team', seal: (body: string) => digest(body).slice(0, 8) }
const other = { ...mark, root: '/home/x/team two' }
const lines = ['30 0 * * * /usr/bin/node main.js run', '* * * * * /usr/bin/node main.js tick']

/** What an installer that puts whole lines together does to a table. */
function naiveWithBlock(table: string): string {
  return [
    ...table.split(/\r?\n/).filter(line => line.trim() !== ''),
    '# >>> claw',
    ...lines,
    '# <<< claw',
    '',
  ].join('\n')
}

function naiveWithoutBlock(table: string): string {
  return table.replace(/# >>> claw\n[^]*# <<< claw\n/, '')
}

test('200 foreign tables come back byte for byte when the block is taken out', () => {
  for (const table of foreignTables(200)) {
    const installed = withBlock(table, mark, lines)
    assert.ok(installed.startsWith(table))
    assert.equal(withoutBlock(installed, mark), table)
  }
})

test('the same tables show what an installer by lines loses', () => {
  const lost = foreignTables(200).filter(table => naiveWithoutBlock(naiveWithBlock(table)) !== table)
  assert.ok(lost.length > 100, `${lost.length}`)
})

test('installing twice is installing once, and other lines replace the block where it stands', () => {
  for (const table of foreignTables(50)) {
    const once = withBlock(table, mark, lines)
    assert.equal(withBlock(once, mark, lines), once)
    const grown = `${once}# added later\n`
    const changed = withBlock(grown, mark, ['0 1 * * * x'])
    assert.ok(changed.startsWith(table) && changed.endsWith('\n# added later\n'))
    assert.equal(withBlock(changed, mark, lines), grown)
    assert.equal(
      withoutBlock(grown, mark),
      `${table === '' || table.endsWith('\n') ? table : `${table}\n`}# added later\n`,
    )
  }
})

test('two workspaces have a block each, and neither touches the other', () => {
  for (const table of foreignTables(50)) {
    const both = withBlock(withBlock(table, mark, lines), other, lines)
    assert.equal(withoutBlock(both, other), withBlock(table, mark, lines))
    assert.equal(withoutBlock(withoutBlock(both, mark), other).trimEnd(), table.trimEnd())
  }
})

test('a block that was edited by hand is told from one that was not, whatever its line ends', () => {
  const found = (table: string) => {
    const block = findBlock(table, mark)
    return block.kind === 'found' ? block : assert.fail(block.kind)
  }
  const table = withBlock('MAILTO=me\n', mark, lines)
  assert.deepEqual([found(table).isEdited, found(table).lines], [false, lines])
  assert.equal(found(table.replace('30 0', '31 0')).isEdited, true)
  assert.equal(found(table.replaceAll('\n', '\r\n')).isEdited, true)
  assert.equal(
    withBlock(table.replaceAll('\n', '\r\n'), mark, lines),
    table.replace('MAILTO=me\n', 'MAILTO=me\r\n'),
  )
})

test('a block whose marks do not fit is told with its line', () => {
  const table = withBlock('a\n', mark, lines)
  const broken = (text: string) => findBlock(text, mark)
  const [start, end] = [`# >>> claw ${mark.root}\n`, `# <<< claw ${mark.root}\n`]
  assert.deepEqual(broken(table.replace(end, '')), { kind: 'broken', line: 2, why: 'has no last mark' })
  assert.deepEqual(broken(table.replace(start, '')), { kind: 'broken', line: 5, why: 'has no first mark' })
  assert.deepEqual(broken(table + table), { kind: 'broken', line: 8, why: 'is there a second time' })
  assert.equal(broken(`${end}${start}`).kind, 'broken')
  assert.equal(withoutBlock(table.replace(end, ''), mark), table.replace(end, ''))
})
