import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import rules from '../.dependency-cruiser.mjs';

const root = path.dirname(import.meta.dirname);
const nothing = 'export const x = 1;\n';
/** @param {string} from */
const uses = (from) => `import { x } from '${from}';\nexport const y = x;\n`;

/** A small source tree that breaks every rule once; the comment names the rule that must notice it. */
const tree = {
  'contract/src/words.ts': nothing,
  'contract/src/slip.ts': uses('node:fs'), // contract-knows-only-zod
  'server/src/app.ts': nothing,
  'server/src/builders/builder.ts': nothing,
  'server/tests/support/fake.ts': nothing,
  'server/src/platform/clock.ts': nothing,
  'server/src/platform/slip.ts': uses('../features/field/index.ts'), // server-platform-below-features
  'server/src/pages/slip.ts': uses('../features/field/index.ts'), // server-pages-below-features
  'server/src/features/field/index.ts': nothing,
  'server/src/features/field/field.tables.ts': nothing,
  'server/src/features/field/field.service.ts': nothing,
  'server/src/features/field/field.store.ts': uses('drizzle-orm'),
  'server/src/features/field/slip.ts': uses('drizzle-orm'), // sql-in-stores
  'server/src/features/field/wiring.ts': uses('../../app.ts'), // server-wiring-on-top
  'server/src/demo/demo.ts': uses('../builders/builder.ts'),
  'server/src/features/field/built.ts': uses('../../builders/builder.ts'), // builders-in-demo-and-tests
  'server/src/features/field/fake.ts': uses('../../../tests/support/fake.ts'), // product-without-tests
  'server/src/features/field/field.test.ts': uses('../../../tests/support/fake.ts'),
  'server/src/features/field/lost.ts': uses('./nowhere.ts'), // found-and-declared
  'server/src/features/room/rooms.ts': uses('../field/index.ts'),
  'server/src/features/room/table.ts': uses('../field/field.tables.ts'),
  'server/src/features/room/slip.ts': uses('../field/field.service.ts'), // server-features-through-their-index
  'server/src/features/room/round.ts': uses('./about.ts'), // no-circles
  'server/src/features/room/about.ts': `import { y } from './round.ts';\nexport const x = () => y;\n`,
  'web/src/routes.tsx': nothing,
  'web/src/slip.ts': uses('../../server/src/app.ts'), // server-and-web-apart
  'web/src/platform/api.ts': nothing,
  'web/src/platform/slip.ts': uses('../features/field/index.ts'), // web-platform-below-features
  'web/src/platform/realtime/slip.ts': uses('../../../../contract/src/words.ts'), // realtime-knows-no-feature
  'web/src/ui/slip.ts': uses('../platform/api.ts'), // web-ui-knows-itself
  'web/src/features/field/index.ts': nothing,
  'web/src/features/field/Part.tsx': nothing,
  'web/src/features/field/slip.ts': uses('../../routes.tsx'), // web-routes-on-top
  'web/src/features/room/fine.ts': uses('../field/index.ts'),
  'web/src/features/room/slip.ts': uses('../field/Part.tsx'), // web-features-through-their-index
  'node_modules/drizzle-orm/index.js': nothing,
  'node_modules/drizzle-orm/package.json': '{"name":"drizzle-orm","main":"index.js","type":"module"}',
  'package.json': '{"dependencies":{"drizzle-orm":"*"}}',
};

/** @type {string} */
let folder;
/** @type {{ rule: { name: string }, from: string }[]} */
let violations;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fieldroom-imports-'));
  for (const [file, text] of Object.entries(tree)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
      ...['--config', path.join(root, '.dependency-cruiser.mjs'), '--output-type', 'json'],
      ...['contract/src', 'server/src', 'server/tests', 'web/src'],
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  if (!stdout.startsWith('{')) throw new Error(stdout + stderr);
  violations = JSON.parse(stdout).summary.violations;
  // A separate program reads a whole tree: on a busy machine that takes longer than a hook's default limit.
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each((rules.forbidden ?? []).map(({ name = '' }) => name))('a violation of %s is reported', (name) => {
  expect(violations.map(({ rule }) => rule.name)).toContain(name);
});

test('nothing else is reported', () => {
  const broken = new Set(violations.map(({ from }) => from));
  const allowed = ['demo.ts', 'field.store.ts', 'field.test.ts', 'rooms.ts', 'table.ts', 'fine.ts'];
  expect([...broken].filter((file) => allowed.includes(path.basename(file)))).toEqual([]);
});
