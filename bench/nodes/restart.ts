/**
 * A node with 1,000 people in 40 rooms is restarted beside another one, by SIGTERM and by `kill -9` in turns. Measures
 * how long it takes until everybody is back in their room without a reload, and how long acts in the rooms of the other
 * node take during that time, compared with before. See README.md.
 *
 * Settings: BENCH_ROOMS (40, of 25 people), BENCH_OTHER_ROOMS (8, of 5 people, on the other node), BENCH_ROUNDS (3, of
 * each kind), BENCH_SECONDS (10, of acts before each restart).
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ACT_WITHIN_MS, type ActingRoom, openActingRoom } from '../lib/room/acting-room.ts';
import { PEOPLE } from '../lib/room/crowd.ts';
import { signInTherapists } from '../lib/service/database.ts';
import { type Fieldroom, fillRoom } from '../lib/service/fieldroom.ts';
import { readMetric, startNodes, untilWhole } from '../lib/service/nodes.ts';
import { type Aim, aimRows, keep, median, percentile, round, type Row, setting, show, table } from '../lib/numbers.ts';
import { cpuMs, mapInParallel, needLinux, program, sleep, startNode, until } from '../lib/service/processes.ts';
import type { Page, PagesOrder, PagesReport } from '../peers/pages-host.ts';

const ROOMS = Math.round(setting('BENCH_ROOMS', 40));
const OTHER_ROOMS = Math.round(setting('BENCH_OTHER_ROOMS', 8));
const ROUNDS = Math.round(setting('BENCH_ROUNDS', 3));
const SECONDS = setting('BENCH_SECONDS', 10);
const OTHER_CLIENTS = 4;
/** The interval between acts in each of the other rooms. */
const ACTS_PER_SECOND = 5;
/** The number of rooms that are filled at a time. */
const FILLED_AT_ONCE = 4;
/** The targets. */
const BACK_WITHIN_MS = 10_000;
const P99_MAX_MS = 100;

const KINDS = [
  { signal: 'SIGTERM', name: 'stopped gently (SIGTERM)' },
  { signal: 'SIGKILL', name: 'killed (kill -9)' },
] as const;
type Kind = (typeof KINDS)[number];

interface Acts {
  readonly times: number[];
  failed: number;
}

interface Restart {
  /** From the signal until a person is in their room again, ms. */
  readonly back: number[];
  /** From the end of a person's connection until then, ms. */
  readonly away: number[];
  /** People who were not back after a minute. */
  readonly missing: number;
  readonly refused: readonly string[];
  /** Rooms in which everybody received an act afterwards. */
  readonly wholeRooms: number;
  /** Until the node had ended, and until it was ready again. */
  readonly endedMs: number;
  readonly readyMs: number;
  /** Acts in the rooms of the other node. */
  readonly before: Acts;
  readonly meanwhile: Acts;
  /** Shares of a core from the signal until everybody was back. */
  readonly otherLoad: number;
  readonly pagesLoad: number;
}

/** Lets every room act at a fixed rate, however long answers take. Returns a function that ends it and waits for all
 * acts. */
function keepActing(rooms: readonly ActingRoom[]): () => Promise<Acts> {
  const acts: Acts = { times: [], failed: 0 };
  const open = new Set<Promise<void>>();
  let ended = false;
  const act = (room: ActingRoom) => {
    const done: Promise<void> = room
      .act()
      .then(
        (times) => void acts.times.push(...times),
        () => {
          acts.failed += 1;
          // As many times as for a successful one: one per client.
          acts.times.push(...Array<number>(OTHER_CLIENTS).fill(ACT_WITHIN_MS));
        },
      )
      .finally(() => open.delete(done));
    open.add(done);
  };
  const loops = rooms.map(async (room, index) => {
    const stepMs = 1000 / ACTS_PER_SECOND;
    // They do not act at the same moment.
    let due = performance.now() + (index * stepMs) / rooms.length;
    for (;;) {
      await sleep(Math.max(0, due - performance.now()));
      if (ended) return;
      act(room);
      due += stepMs;
    }
  });
  return async () => {
    ended = true;
    await Promise.all(loops);
    await Promise.all(open);
    return acts;
  };
}

await program(async () => {
  needLinux();
  const nodes = await startNodes();
  const other = await nodes.start();
  let restarted = await nodes.start();
  await untilWhole([other, restarted]);
  const host = startNode(fileURLToPath(new URL('../peers/pages-host.ts', import.meta.url)), [], { ipc: true });
  await until(
    `the pages\n${host.output()}`,
    () => {
      if (host.child.exitCode !== null) throw new Error(`the pages’ process ended:\n${host.output()}`);
      return host.output().includes('ready');
    },
    20_000,
  );

  /** Sends a command to the pages, and waits for the answer. One at a time. */
  async function ask(order: PagesOrder): Promise<PagesReport> {
    const ended = new AbortController();
    const answer = once(host.child, 'message', { signal: ended.signal }) as Promise<[PagesReport]>;
    const onExit = () => ended.abort(new Error(`the pages’ process ended:\n${host.output()}`));
    host.child.once('exit', onExit);
    host.child.send(order);
    try {
      return (await answer)[0];
    } finally {
      host.child.off('exit', onExit);
    }
  }

  // ---- the people

  const therapists = await signInTherapists(nodes.database.pool, ROOMS + OTHER_ROOMS);
  const others: ActingRoom[] = [];
  for (const therapist of therapists.slice(ROOMS))
    others.push(await openActingRoom({ therapist, clients: OTHER_CLIENTS, node: other }));
  const pages: Page[] = (
    await mapInParallel(therapists.slice(0, ROOMS), FILLED_AT_ONCE, async (therapist) => {
      const clients = await fillRoom(restarted, therapist, PEOPLE - 1);
      const therapistId = therapist.id;
      return [
        { id: therapistId, token: therapist.token, therapistId, kind: 'THERAPIST' as const },
        ...clients.map(({ client, token }) => ({ id: client.id, token, therapistId, kind: 'CLIENT' as const })),
      ];
    })
  ).flat();

  // ---- restarts

  async function restart({ signal }: Kind): Promise<Restart> {
    await ask({ order: 'open', pages, ports: [restarted.port] });
    await until(
      'everybody to be on one node',
      async () => (await readMetric(restarted, 'stomp_connections')) === pages.length,
      30_000,
      200,
    );
    const endBefore = keepActing(others);
    await sleep(SECONDS * 1000);
    const before = await endBefore();

    await ask({ order: 'watch', ports: [restarted.port, other.port] });
    const endMeanwhile = keepActing(others);
    const cpu = { other: cpuMs(other.started.pid), pages: cpuMs(host.pid) };
    const { port, started } = restarted;
    const at = Date.now();
    const again = (async (): Promise<{ node: Fieldroom; endedMs: number; readyMs: number }> => {
      await started.stop(signal);
      const endedMs = Date.now() - at;
      const node = await nodes.start({ PORT: String(port) });
      return { node, endedMs, readyMs: Date.now() - at };
    })();
    const [report, { node, endedMs, readyMs }] = await Promise.all([ask({ order: 'back' }), again]);
    const lastMs = Math.max(...report.pages.map(({ backAt }) => (backAt ?? Date.now()) - at));
    const meanwhile = await endMeanwhile();
    const share = (ms: number) => ms / (Date.now() - at);
    const otherLoad = share(cpuMs(other.started.pid) - cpu.other);
    const pagesLoad = share(cpuMs(host.pid) - cpu.pages);
    restarted = node;
    await untilWhole([other, restarted]);
    const { rooms: wholeRooms } = await ask({ order: 'act' });
    const there = report.pages.flatMap(({ lostAt, backAt }) =>
      lostAt === null || backAt === null ? [] : [{ back: backAt - at, away: backAt - lostAt }],
    );
    console.log(`${signal}: all back after ${show(lastMs / 1000)} s, ended after ${show(endedMs / 1000)} s`);
    return {
      back: there.map(({ back }) => back),
      away: there.map(({ away }) => away),
      missing: pages.length - there.length,
      refused: report.refused,
      ...{ wholeRooms, endedMs, readyMs, before, meanwhile, otherLoad, pagesLoad },
    };
  }

  const results = new Map<Kind, Restart[]>(KINDS.map((kind) => [kind, []]));
  for (let number = 0; number < ROUNDS; number++)
    for (const kind of number % 2 === 0 ? KINDS : KINDS.toReversed()) results.get(kind)!.push(await restart(kind));

  const complaints = others.flatMap((room) => room.complaints);
  for (const room of others) room.close();
  await host.stop();
  await Promise.all([restarted.stop(), other.stop()]);
  await nodes.stop();

  // ---- the result

  const seconds = (ms: number) => show(ms / 1000);
  const of = (kind: Kind, read: (one: Restart) => number) => median(results.get(kind)!.map(read));
  const worst = (kind: Kind, read: (one: Restart) => number) => Math.max(...results.get(kind)!.map(read));
  const least = (kind: Kind, read: (one: Restart) => number) => Math.min(...results.get(kind)!.map(read));
  const slowest = (kind: Kind) => worst(kind, ({ back, missing }) => (missing > 0 ? Infinity : Math.max(...back)));
  const backRows = KINDS.map((kind): Row => ({
    'The node was': kind.name,
    'back p50 s': seconds(of(kind, ({ back }) => percentile(back, 0.5))),
    'back p99 s': seconds(of(kind, ({ back }) => percentile(back, 0.99))),
    'back, the last of all rounds s': seconds(slowest(kind)),
    'away p50 s': seconds(of(kind, ({ away }) => percentile(away, 0.5))),
    'away p99 s': seconds(of(kind, ({ away }) => percentile(away, 0.99))),
    'not back': worst(kind, ({ missing }) => missing),
    refused: worst(kind, ({ refused }) => refused.length),
    'whole rooms': least(kind, ({ wholeRooms }) => wholeRooms),
    'node ended s': seconds(of(kind, ({ endedMs }) => endedMs)),
    'node there again s': seconds(of(kind, ({ readyMs }) => readyMs)),
  }));
  const actsOf = (kind: Kind, when: 'before' | 'meanwhile', share: number) =>
    of(kind, (one) => percentile(one[when].times, share));
  const actRows = KINDS.flatMap((kind) =>
    (['before', 'meanwhile'] as const).map((when): Row => ({
      'Acts in the other rooms': `${kind.name}, ${when}`,
      'p50 ms': show(actsOf(kind, when, 0.5)),
      'p99 ms': show(actsOf(kind, when, 0.99)),
      'slowest ms': show(worst(kind, (one) => Math.max(...one[when].times))),
      failed: worst(kind, (one) => one[when].failed),
      'other node %': when === 'before' ? '–' : show(of(kind, ({ otherLoad }) => otherLoad) * 100, 0),
      'pages %': when === 'before' ? '–' : show(of(kind, ({ pagesLoad }) => pagesLoad) * 100, 0),
    })),
  );
  const aims: Aim[] = KINDS.flatMap((kind) => [
    {
      what: `${kind.name}: all ${pages.length} people back in their rooms`,
      aim: `≤ ${BACK_WITHIN_MS / 1000} s`,
      measured: `${seconds(slowest(kind))} s`,
      reached: slowest(kind) <= BACK_WITHIN_MS,
    },
    {
      what: `${kind.name}: p99 of acts in the other rooms meanwhile`,
      aim: `≤ ${P99_MAX_MS} ms`,
      measured: `${show(actsOf(kind, 'meanwhile', 0.99))} ms (before ${show(actsOf(kind, 'before', 0.99))} ms)`,
      reached: actsOf(kind, 'meanwhile', 0.99) <= P99_MAX_MS,
    },
    {
      what: `${kind.name}: rooms in which everybody hears of an act afterwards`,
      aim: String(ROOMS),
      measured: String(least(kind, ({ wholeRooms }) => wholeRooms)),
      reached: least(kind, ({ wholeRooms }) => wholeRooms) === ROOMS,
    },
  ]);
  await keep(
    'restart',
    'Restart of a node',
    [
      [
        `${pages.length} people in ${ROOMS} rooms are on a node that is stopped and started again at once;`,
        `${OTHER_ROOMS} rooms of ${OTHER_CLIENTS + 1} people are on the other node, and in each the therapist acts`,
        `${ACTS_PER_SECOND} times a second. ${ROUNDS} rounds in turns, medians. *Back* is the time from the signal`,
        `until a person has field and people of their room again on a new connection; *away* is counted from the end`,
        `of their connection. Their pages are the web’s own connection, and reach both nodes through a balancer with`,
        `the rules of \`deploy/caddy\`. Times of acts are until each client knows; a failed one counts as`,
        `${ACT_WITHIN_MS / 1000} s. All processes share this machine’s cores.`,
      ].join(' '),
      table(backRows),
      table(actRows),
      table(aimRows(aims)),
      ...(complaints.length > 0 ? [`In the other rooms: ${[...new Set(complaints)].slice(0, 10).join(', ')}.`] : []),
    ],
    {
      rooms: ROOMS,
      people: pages.length,
      otherRooms: OTHER_ROOMS,
      rounds: ROUNDS,
      results: Object.fromEntries(
        [...results].map(([{ signal }, all]) => [
          signal,
          all.map(({ back, away, before, meanwhile, ...rest }) => ({
            ...rest,
            back: { p50: percentile(back, 0.5), p99: percentile(back, 0.99), max: Math.max(...back) },
            away: { p50: percentile(away, 0.5), p99: percentile(away, 0.99), max: Math.max(...away) },
            before: { p50: round(percentile(before.times, 0.5)), p99: round(percentile(before.times, 0.99)) },
            meanwhile: { p50: round(percentile(meanwhile.times, 0.5)), p99: round(percentile(meanwhile.times, 0.99)) },
          })),
        ]),
      ),
      complaints,
      aims,
    },
  );
});
