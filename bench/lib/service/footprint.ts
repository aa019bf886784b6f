/** What a service of several nodes holds at a moment: memory, files, connections, channels. */
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import type pg from 'pg';
import type { Held } from '../../peers/footprint-probe.ts';
import type { Fieldroom } from './fieldroom.ts';
import { rssBytes, type Started } from './processes.ts';
import type { BenchRedis } from './redis.ts';

/** Flags with which a node can report what it holds. */
export const PROBE_FLAGS = ['--expose-gc', '--import', new URL('../../peers/footprint-probe.ts', import.meta.url).href];

export interface NodeFootprint {
  /** Objects and buffers after garbage collection, MB. */
  heapMB: number;
  /** Of the whole process, threads included, MB. */
  rssMB: number;
  /** Open files, and the sockets among them. */
  files: number;
  sockets: number;
  /** Timers that keep the process going. */
  timers: number;
}

export interface Footprint {
  nodes: NodeFootprint[];
  /** Connections of the nodes to PostgreSQL. */
  database: number;
  /** Connections of the nodes to Redis, and the channels that they listen to. */
  redis: number;
  channels: number;
  /** Memory that Redis uses, MB. */
  redisMB: number;
}

const MB = 1e6;

/** Measures everything. The nodes run with PROBE_FLAGS and a channel; each pauses for its garbage collection. */
export async function footprintOf(nodes: readonly Fieldroom[], pool: pg.Pool, redis: BenchRedis): Promise<Footprint> {
  const of: NodeFootprint[] = [];
  for (const { started } of nodes) of.push(await footprintOfNode(started));
  const { rows } = await pool.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'fieldroom%'`,
  );
  const clients = (await redis.ask('client', 'list')).filter((line) => / name=fieldroom-/.test(line));
  const channels = await redis.ask('pubsub', 'channels');
  const memory = (await redis.ask('info', 'memory')).find((line) => line.startsWith('used_memory:'));
  return {
    nodes: of,
    database: rows[0]!.open,
    redis: clients.length,
    channels: channels.length,
    redisMB: Number(memory?.slice('used_memory:'.length)) / MB,
  };
}

async function footprintOfNode(started: Started): Promise<NodeFootprint> {
  if (started.child.exitCode !== null || started.child.signalCode !== null)
    throw new Error(`a node ended:\n${started.output()}`);
  const answer = once(started.child, 'message');
  started.child.send('footprint');
  const [{ heapBytes, externalBytes, resources }] = (await answer) as [Held];
  const folder = `/proc/${started.pid}/fd`;
  const targets = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(`${folder}/${name}`);
    } catch {
      // Closed in between.
      return '';
    }
  });
  return {
    heapMB: (heapBytes + externalBytes) / MB,
    rssMB: rssBytes(started.pid) / MB,
    files: targets.length,
    sockets: targets.filter((target) => target.startsWith('socket:')).length,
    timers: resources['Timeout'] ?? 0,
  };
}

/** The lowest value of each number over several footprints: short-lived things do not count. */
export function leastOf(footprints: readonly Footprint[]): Footprint {
  const least = (read: (one: Footprint) => number) => Math.min(...footprints.map(read));
  return {
    nodes: footprints[0]!.nodes.map((_, n) => {
      const of = (read: (one: NodeFootprint) => number) => least(({ nodes }) => read(nodes[n]!));
      return {
        heapMB: of(({ heapMB }) => heapMB),
        rssMB: of(({ rssMB }) => rssMB),
        files: of(({ files }) => files),
        sockets: of(({ sockets }) => sockets),
        timers: of(({ timers }) => timers),
      };
    }),
    database: least(({ database }) => database),
    redis: least(({ redis }) => redis),
    channels: least(({ channels }) => channels),
    redisMB: least(({ redisMB }) => redisMB),
  };
}
