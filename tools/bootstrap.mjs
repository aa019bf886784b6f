/**
 * Every command of this project begins with `await bootstrap(import.meta.url)`.
 *
 * The machine's Node (20.19 or newer, with npm) starts a fresh clone. This installs the packages if they are missing or
 * the lock file has changed, and continues in Node 24, which is one of the packages. This file must not import packages
 * or use features that Node 20 lacks. If nothing has changed, it costs a few milliseconds and one more process.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const binDir = path.join(root, 'node_modules', '.bin');
const cacheDir = path.join(root, 'node_modules', '.cache', 'fieldroom');
const stampFile = path.join(cacheDir, 'installed');
/** The folder in which Node keeps the server's compiled code. */
export const COMPILED = path.join(cacheDir, 'compiled');

const NEEDED_TO_INSTALL = [20, 19];
const NEEDED_TO_RUN = 24;

/**
 * Installs missing packages and makes sure that the calling script runs in Node 24. Returns if it does; otherwise runs
 * the script there and ends this process with the same result.
 * @param {string} scriptUrl `import.meta.url` of the script that was started
 * @param {readonly string[]} [flags] with which Node has to run
 * @returns {Promise<void>}
 */
export async function bootstrap(scriptUrl, flags = []) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [needMajor = 0, needMinor = 0] = NEEDED_TO_INSTALL;
  if (major < needMajor || (major === needMajor && minor < needMinor))
    fail(`Node ${needMajor}.${needMinor} or newer is needed; this is ${process.versions.node}.`);

  rememberSignals();
  if (process.env.npm_lifecycle_event !== undefined) endWithNpm();
  install();

  const node = packagedNode() ?? process.execPath;
  const isRightNode = realpathSync(process.execPath) === realpathSync(node);
  if (isRightNode && major < NEEDED_TO_RUN)
    fail(
      `There is no packaged Node for ${process.platform} ${process.arch}. Install Node ${NEEDED_TO_RUN} or newer ` +
        `and start again with it; this is ${process.versions.node}.`,
    );
  if (!isRightNode || !flags.every((flag) => process.execArgv.includes(flag)))
    await continueIn(node, flags, fileURLToPath(scriptUrl));
  const inPath = (process.env.PATH ?? '').split(path.delimiter);
  // Every program started from here must find this Node and the installed tools first.
  if (inPath[0] !== binDir) process.env.PATH = [binDir, ...inPath].join(path.delimiter);
  if (process.channel) {
    process.on('message', (/** @type {NodeJS.Signals} */ signal) => applyForwarded(signal));
    // The parent process was killed: stop as if asked to, instead of running on unnoticed.
    process.once('disconnect', endUnlessEnding);
    // The listeners above must not keep this process alive once its work is done.
    process.channel.unref();
  }
}

/** Installs the packages of the lock file, unless they are installed already. */
function install() {
  const lockText = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  const wanted = fingerprint(lockText);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;

  console.log('Installing packages (the first time, or the lock file changed) …');
  const started = Date.now();
  rmSync(stampFile, { force: true });
  // Not `npm ci`: the lock file lists only the optional packages (binaries of other systems) that its registry offered,
  // and `npm ci` refuses such a file. `differencesFrom` checks what `npm ci` would guarantee. The tools that build the
  // web are development packages and needed even with NODE_ENV=production.
  npm(['install', '--no-save', '--include=dev', '--include=optional', '--loglevel=error']);
  const differing = differencesFrom(lockText);
  if (differing.length > 0)
    fail(
      [
        'The installed packages are not those of package-lock.json:',
        ...differing.slice(0, 10).map((line) => `  ${line}`),
        'Remove node_modules and start again.',
      ].join('\n'),
    );
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(`${stampFile}.new`, wanted);
  renameSync(`${stampFile}.new`, stampFile);
  console.log(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/**
 * Hash of everything that the installation depends on.
 * @param {string} lockText
 */
function fingerprint(lockText) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`).update(lockText);
  hash.update(readFileSync(path.join(root, '.npmrc')));
  return hash.digest('hex');
}

/**
 * Lists packages whose version or content differs from the lock file. npm itself makes sure that none is missing, and
 * leaves out those that no workspace needs any more.
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
    // A binary for this system that was not in the lock file's registry. Its parent package names the version.
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
  // npm tells its scripts its own path, which is more reliable than the search path.
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

/** Path of Node 24 among the packages; undefined if there is none for this machine. */
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
  // It needs the GNU C library, which some Linux systems lack. Check only if the running Node could be used instead.
  if (Number.parseInt(process.versions.node) >= NEEDED_TO_RUN && spawnSync(file, ['--version']).status !== 0)
    return undefined;
  return file;
}

// ── Signals ─────────────────────────────────────────────────────────────────────────────────────────────────────────
// The server treats a second signal as “stop now, without cleaning up”, so a request to stop must arrive once. But it
// may be sent to the whole process group (Ctrl-C, a service manager) or only to the first process.

/** When we last received a signal. */
let signalledAt = -Infinity;
const SAME_REQUEST_MS = 1000;

/** Records when a signal arrives, without changing what it does to this process. */
function rememberSignals() {
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    const seen = () => {
      signalledAt = performance.now();
      if (process.listenerCount(name) > 1) return;
      // There is no other listener, so restore the default: the signal ends this process.
      process.off(name, seen);
      process.kill(process.pid, name);
    };
    process.on(name, seen);
  }
}

/**
 * Applies a forwarded request to stop, unless the signal also came directly.
 * @param {NodeJS.Signals} signal
 */
function applyForwarded(signal) {
  if (performance.now() - signalledAt > SAME_REQUEST_MS) process.kill(process.pid, signal);
}

/** Does nothing if a signal has arrived before: then this process is already ending. */
function endUnlessEnding() {
  if (signalledAt === -Infinity) process.kill(process.pid, 'SIGTERM');
}

/**
 * Ends this process when npm has ended. npm forwards a signal to the shell between npm and us, and the shell dies
 * without forwarding it; and if npm is killed, nothing reports it. Without this we would keep running, with port and
 * data.
 */
function endWithNpm() {
  const ancestors = ancestorIds();
  const watch = setInterval(() => {
    if (ancestorIds() === ancestors) return;
    clearInterval(watch);
    endUnlessEnding();
  }, 250).unref();
}

/** Process ids of the shell that started us and, if /proc exists, of the npm that started the shell. */
function ancestorIds() {
  const shell = process.ppid;
  if (process.platform !== 'linux') return String(shell);
  try {
    const stat = readFileSync(`/proc/${shell}/stat`, 'utf8');
    // The name in parentheses is followed by the state and the parent's id.
    return `${shell} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`;
  } catch {
    return String(shell);
  }
}

/**
 * Continues in another Node, with the same script, arguments and terminal. Never returns.
 * @param {string} node
 * @param {readonly string[]} flags
 * @param {string} script
 */
async function continueIn(node, flags, script) {
  const child = spawn(node, [...flags, script, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH: [binDir, process.env.PATH ?? ''].join(path.delimiter) },
  });
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(name, () => {
      // If the signal went to the whole group, let it arrive there first.
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
  // Some signals do not end a process at once; wait instead of continuing with the script.
  await new Promise(() => setInterval(() => {}, 1000));
}

/**
 * Prints a message and ends this process with exit code 1.
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  console.error(`\n${message}\n`);
  process.exit(1);
}
