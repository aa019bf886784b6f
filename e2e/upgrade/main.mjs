/**
 * `npm run test:upgrade [commit]`: today's server and web beside those of an older commit, built by its own tools: on
 * one database, over one balancer, with pages of both in Chromium. Without a commit it takes the newest one of the main
 * branch that is at least a day older than what is checked out. What comes after `--` goes to Playwright.
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { bootstrap, fail, root } from '../../tools/bootstrap.mjs';

await bootstrap(import.meta.url);
const { buildIfChanged } = await import('../../tools/build.mjs');
const { ensureChromium } = await import('../../tools/programs/chromium.mjs');
const { missingRedis } = await import('../../tools/programs/redis.mjs');
const { run } = await import('../../tools/run.mjs');

const DAY_S = 24 * 60 * 60;
/** Where the main branch may be; a fresh clone has the first. */
const MAIN_BRANCHES = ['refs/remotes/origin/main', 'refs/heads/main', 'HEAD'];

/** @param {...string} args */
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** @param {string} revision @returns {string | null} its commit */
function commitOf(revision) {
  try {
    return git('rev-parse', '--verify', '--quiet', `${revision}^{commit}`).trim();
  } catch {
    return null;
  }
}

/** The newest commit of the main branch, by first parents, that is a day older than what is checked out. */
function yesterdays() {
  const branch = MAIN_BRANCHES.find((name) => commitOf(name) !== null) ?? 'HEAD';
  const before = Number(git('log', '-1', '--format=%ct', 'HEAD')) - DAY_S;
  return git('rev-list', '-1', '--first-parent', `--before=${before}`, branch).trim();
}

const given = process.argv.slice(2);
const wished = given[0] !== undefined && !given[0].startsWith('-') ? given.shift() : undefined;
const older = wished === undefined ? yesterdays() : commitOf(wished);
if (older === null) fail(`There is no commit ${wished}.`);
if (older === '') fail('No commit is a day older than this one. Name one: npm run test:upgrade <commit>');
console.log(`Older version: ${git('log', '-1', '--format=%h of %ci, %s', older)}`);

let chromium = '';
try {
  chromium = await ensureChromium();
} catch (error) {
  fail(/** @type {Error} */ (error).message);
}
const noRedis = await missingRedis();
if (noRedis !== null) console.log(`What needs two nodes is left out. ${noRedis}`);
await buildIfChanged();

const parent = await mkdtemp(path.join(tmpdir(), 'fieldroom-upgrade-'));
const folder = path.join(parent, 'older');
// However this process ends, except by force: `run` ends it after a signal.
process.on('exit', () => {
  rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
  try {
    git('worktree', 'prune');
  } catch (error) {
    console.error(`The work tree of the older version is still listed: ${/** @type {Error} */ (error).message}`);
  }
});

/** @param {string} command @param {readonly string[]} args @param {import('../../tools/run.mjs').RunOptions} options */
async function done(command, args, options) {
  const { code } = await run(command, args, { show: true, ...options });
  if (code !== 0) fail(`The older version could not be built: ${command} ${args.join(' ')} ended with ${code}.`);
}
await done('git', ['worktree', 'add', '--quiet', '--detach', folder, older], {});
await done('node', ['tools/build.mjs'], { cwd: folder });
process.env['UPGRADE_FROM'] = folder;
const { olderHasNodes } = await import('./versions.ts');
if (!olderHasNodes()) console.log('The older version is from before several nodes: what needs two is left out.');
const args = ['test', '-c', 'e2e/upgrade/playwright.config.ts', ...given];
const { code } = await run('playwright', args, { show: true, env: { CHROMIUM_PATH: chromium } });
process.exitCode = code === 0 ? 0 : 1;
