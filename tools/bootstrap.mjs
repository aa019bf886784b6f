/**
 * What every command of this project begins with: `await bootstrap(import.meta.url)`.
 *
 * A fresh clone is started by whatever Node the machine has (20.19 or newer, with npm). This installs the packages when
 * they are missing or the lock file changed, and goes on in the Node 24 that is one of those packages. Nothing here may
 * import a package, nor use what Node 20 lacks. When nothing changed it costs a few milliseconds and one more process.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const binDir = path.join(root, 'node_modules', '.bin');
const stampFile = path.join(root, 'node_modules', '.cache', 'fieldroom', 'installed');

const NEEDED_TO_INSTALL = [20, 19];
const NEEDED_TO_RUN = 24;

/**
 * Installs what is missing and makes sure that the calling script runs on Node 24: returns when it does, otherwise
 * runs it there and ends this process with the same result.
 * @param {string} scriptUrl `import.meta.url` of the script that was started
 * @returns {Promise<void>}
 */
export async function bootstrap(scriptUrl) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [needMajor = 0, needMinor = 0] = NEEDED_TO_INSTALL;
  if (major < needMajor || (major === needMajor && minor < needMinor))
    fail(`Node ${needMajor}.${needMinor} or newer is needed; this is ${process.versions.node}.`);

  rememberSignals();
  if (process.env.npm_lifecycle_event !== undefined) endWithNpm();
  install();

  const node = packagedNode();
  if (node === undefined) {
    if (major < NEEDED_TO_RUN)
      fail(
        `There is no packaged Node for ${process.platform} ${process.arch}. Install Node ${NEEDED_TO_RUN} or newer and start again with it; this is ${process.versions.node}.`,
      );
  } else if (realpathSync(process.execPath) !== realpathSync(node)) {
    await continueIn(node, fileURLToPath(scriptUrl));
  }
  const inPath = (process.env.PATH ?? '').split(path.delimiter);
  // So that every program started from here finds this Node and the installed tools first.
  if (inPath[0] !== binDir) process.env.PATH = [binDir, ...inPath].join(path.delimiter);
  if (process.channel) {
    process.on('message', (/** @type {NodeJS.Signals} */ signal) => askToEnd(signal));
    // The process that started us was killed outright: end as if asked to, instead of staying behind unseen.
    process.once('disconnect', endUnlessEnding);
    // The listeners above are no reason to stay when the work is done.
    process.channel.unref();
  }
}

/** Installs the packages of the lock file unless that was done already. */
function install() {
  const lockText = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const wanted = fingerprint(lockText);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;

  console.log('Installing packages (the first time, or the lock file changed) …');
  const started = Date.now();
  rmSync(stampFile, { force: true });
  // Not `npm ci`: the lock file lists only those optional packages (binaries of other systems) that the registry it was
  // made from offers, and `npm ci` refuses such a file. What it would guarantee is checked below instead.
  // NODE_ENV=production must not leave out the tools that build the web.
  npm(['install', '--no-save', '--include=dev', '--include=optional', '--loglevel=error']);
  const differing = differencesFrom(lockText);
  if (differing.length > 0)
    fail(
      `The installed packages are not those of package-lock.json:\n  ${differing.slice(0, 10).join('\n  ')}\nRemove node_modules and start again.`,
    );
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(`${stampFile}.new`, wanted);
  renameSync(`${stampFile}.new`, stampFile);
  console.log(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/**
 * What the installation depends on.
 * @param {string} lockText
 */
function fingerprint(lockText) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`).update(lockText);
  hash.update(readFileSync(path.join(root, '.npmrc')));
  return hash.digest('hex');
}

/**
 * Packages whose version or content is not the locked one. (That none is missing, npm itself sees to; those that no
 * workspace asks for any more it leaves out.)
 * @param {string} lockText
 * @returns {string[]}
 */
function differencesFrom(lockText) {
  /** @typedef {{ version?: string, integrity?: string, optional?: boolean, link?: boolean }} Entry */
  /** @type {Record<string, Entry>} */
  const locked = JSON.parse(lockText).packages;
  const installedFile = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return ['nothing is installed'];
  /** @type {Record<string, Entry>} */
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  const differing = [];
  for (const [place, entry] of Object.entries(installed)) {
    const expected = locked[place];
    // A binary for this system that the lock file's registry did not offer, of the version its owner names.
    if (!expected && entry.optional) continue;
    if (!expected) differing.push(`${place} is not in the lock file`);
    else if (expected.version !== entry.version || (expected.integrity ?? entry.integrity) !== entry.integrity)
      differing.push(`${place} is ${entry.version}, locked is ${expected.version}`);
  }
  return differing;
}

/**
 * Runs npm in the root and ends this process if that fails.
 * @param {string[]} args
 */
function npm(args) {
  // npm tells its scripts where it is; that is more reliable than the search path.
  const cli = process.env.npm_execpath;
  const viaNode = cli !== undefined && /\.c?js$/.test(cli) && path.basename(cli).startsWith('npm');
  const result = viaNode
    ? spawnSync(process.execPath, [cli, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.error && /** @type {NodeJS.ErrnoException} */ (result.error).code === 'ENOENT')
    fail('npm was not found. It comes with Node from nodejs.org; on Debian it is the package npm.');
  if (result.error) fail(`npm could not be started: ${result.error.message}`);
  if (result.signal) process.exit(130);
  if (result.status !== 0)
    fail('npm could not install the packages (see above). Is the registry reachable? Start again to retry.');
}

/** Path of the Node 24 among the packages, undefined where there is none for this machine. */
function packagedNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const file = path.join(
    root,
    'node_modules',
    `node-${system}-${process.arch}`,
    'bin',
    system === 'win' ? 'node.exe' : 'node',
  );
  if (!existsSync(file)) return undefined;
  // It needs the GNU C library, which some Linux systems lack. Asked only where the running Node could do instead.
  if (Number.parseInt(process.versions.node) >= NEEDED_TO_RUN && spawnSync(file, ['--version']).status !== 0)
    return undefined;
  return file;
}

// ── Signals ─────────────────────────────────────────────────────────────────────────────────────────────────────────
// The server takes a second signal for "now, without tidying up", so one wish to end must arrive once. But it may come
// by several ways: to the whole process group (Ctrl-C, a service manager), or to the first process alone.

/** When a signal last reached us. */
let signalledAt = -Infinity;
const SAME_WISH_MS = 1000;

/** Keeps in mind that a signal came; what it does to this process stays as it was. */
function rememberSignals() {
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    const seen = () => {
      signalledAt = performance.now();
      if (process.listenerCount(name) > 1) return;
      // Nobody else cares for it, so it does what it does by itself: end us.
      process.off(name, seen);
      process.kill(process.pid, name);
    };
    process.on(name, seen);
  }
}

/**
 * Hands on a wish to end unless it came directly as well.
 * @param {NodeJS.Signals} signal
 */
function askToEnd(signal) {
  if (performance.now() - signalledAt > SAME_WISH_MS) process.kill(process.pid, signal);
}

/** A process that was signalled before is ending already, however long that takes. */
function endUnlessEnding() {
  if (signalledAt === -Infinity) process.kill(process.pid, 'SIGTERM');
}

/**
 * Ends this process when npm is gone. npm hands a signal on to the shell between it and us, and that shell dies of it
 * without telling us; when npm is killed outright, nobody tells anybody. We would stay behind with port and data.
 */
function endWithNpm() {
  const starters = startersNow();
  const watch = setInterval(() => {
    if (startersNow() === starters) return;
    clearInterval(watch);
    endUnlessEnding();
  }, 250).unref();
}

/** Process ids of the shell that started us and, where /proc tells it, of the npm that started the shell. */
function startersNow() {
  const shell = process.ppid;
  if (process.platform !== 'linux') return String(shell);
  try {
    const stat = readFileSync(`/proc/${shell}/stat`, 'utf8');
    // After the name in parentheses: state, then the parent.
    return `${shell} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`;
  } catch {
    return String(shell);
  }
}

/**
 * Goes on in another Node: same script, same arguments, same terminal; never returns.
 * @param {string} node
 * @param {string} script
 */
async function continueIn(node, script) {
  const child = spawn(node, [script, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH: [binDir, process.env.PATH ?? ''].join(path.delimiter) },
  });
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(name, () => {
      // Where it went to the whole group, it is to get there first.
      setTimeout(() => child.connected && child.send(name), 100);
    });
  }
  const [code, signal] = await new Promise((resolve) => {
    child.once('error', (error) => fail(`Node ${NEEDED_TO_RUN} could not be started: ${error.message}`));
    child.once('exit', (...how) => resolve(how));
  });
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // Some signals do not end a process at once; wait for it rather than go on with the script.
  await new Promise(() => setInterval(() => {}, 1000));
}

/**
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}
