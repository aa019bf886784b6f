/**
 * Video: the CPU time of a forwarded packet in the embedded engine, compared with Debian's Janus in the same run. See
 * README.md.
 *
 * Settings: BENCH_SECONDS (6, measured in each turn), BENCH_ROUNDS (3), BENCH_LOADS (numbers of the loads, 1,2,3,4,5),
 * BENCH_ONLY (part of an engine's name), BENCH_PROFILE (`no` leaves out the last part, which samples our engine with
 * perf under the last load), BENCH_NODE_FLAGS (for the engine, such as --cpu-prof), BENCH_RESULT (name of the result,
 * `video`; empty writes none).
 */
import { availableParallelism } from 'node:os';
import { LOUDEST_VOICES } from '@fieldroom/contract/video';
import {
  type Aim,
  aimRows,
  keep,
  listSetting,
  median,
  round,
  type Row,
  setting,
  show,
  table,
  nodeFlags,
} from '../lib/numbers.ts';
import { cpuMs, needLinux, program, rssBytes, sleep } from '../lib/service/processes.ts';
import { cipherFloor } from '../lib/video/video-floor.ts';
import { canProfile, profile, PROFILED_FLAGS } from '../lib/video/video-profile.ts';
import { type Load, openVideoRoom } from '../lib/video/video-room.ts';
import { createCertificate } from '../../server/src/features/video/engine/transport/dtls.ts';
import { embedded, janus, type VideoContender } from '../peers/video-contenders.ts';

const SECONDS = setting('BENCH_SECONDS', 6);
const ROUNDS = setting('BENCH_ROUNDS', 3);
const CHOSEN = listSetting('BENCH_LOADS', [1, 2, 3, 4, 5]);
const ONLY = process.env['BENCH_ONLY'] ?? '';
const NODE_FLAGS = nodeFlags();
const PROFILE = process.env['BENCH_PROFILE'] !== 'no';
const RESULT = process.env['BENCH_RESULT'] ?? 'video';
/** Time until V8 has compiled the code. */
const WARM_MS = 6000;
const PEOPLE = 25;
const REQUESTED_AGAIN = 0.01;
/** Outside these limits a turn says nothing about the engine, because the machine was busy. */
const CARRIED_MIN = 0.95;
const LATE_MAX_MS = 60;

/** 100 kbit/s of video, the therapist's 200, and audio of 32 kbit/s in packets of 20 ms (docs/product.md#10.5). */
const FULL = {
  publishers: PEOPLE,
  voicePackets: 50,
  voiceBytes: 80,
  frames: () => 30,
  picturePackets: () => 30,
  pictureBytes: (index: number) => (index === 0 ? 833 : 417),
  subscribers: 0,
  everybody: true,
  again: REQUESTED_AGAIN,
} as const;
/**
 * Video as our page sends it in the gallery (web/src/platform/media/own/devices.ts): fewer and larger frames, the
 * therapist's at 20 frames a second in two packets each.
 */
const OURS = {
  ...FULL,
  frames: (index: number) => (index === 0 ? 20 : 15),
  picturePackets: (index: number) => (index === 0 ? 40 : 15),
  pictureBytes: (index: number) => (index === 0 ? 625 : 833),
} as const;
const LOADS: readonly Load[] = [
  {
    name: 'one to ten, 600/s of 1,000 B',
    publishers: 1,
    voicePackets: 0,
    voiceBytes: 0,
    frames: () => 30,
    picturePackets: () => 600,
    pictureBytes: () => 1000,
    subscribers: 10,
    everybody: false,
    loudestVoices: 24,
    again: REQUESTED_AGAIN,
  },
  {
    name: 'one to twenty, 500/s of 120 B',
    publishers: 1,
    voicePackets: 0,
    voiceBytes: 0,
    frames: () => 30,
    picturePackets: () => 500,
    pictureBytes: () => 120,
    subscribers: 20,
    everybody: false,
    loudestVoices: 24,
    again: REQUESTED_AGAIN,
  },
  { name: 'room of 25, all to all', ...FULL, loudestVoices: 24 },
  { name: 'room of 25, 12 tiles of 30 a second and 5 voices', ...FULL, tiles: 11, loudestVoices: 5 },
  {
    name: 'room of 25, 12 tiles and 3 voices as our page sends them',
    ...OURS,
    tiles: 11,
    loudestVoices: LOUDEST_VOICES,
  },
];
const loads = CHOSEN.map((number) => LOADS[number - 1]).filter((load) => load !== undefined);

interface Measured {
  forwarded: number;
  /** Share of the load that was sent, and with all to all also that was forwarded in time; the lower of both. */
  carried: number;
  micros: number;
  load: number;
  generator: number;
  lossPercent: number;
  again: number;
  broken: number;
  lateP99: number;
  rssMB: number;
  profiles: { in: number; out: number };
}

/** Opens a room, measures it and closes it. */
async function measure(
  contender: VideoContender,
  load: Load,
  certificate: Awaited<ReturnType<typeof createCertificate>>,
): Promise<Measured> {
  const room = await openVideoRoom(contender.engine, load, certificate);
  let [cpu, own, at, rss] = [0, process.cpuUsage(), 0, 0];
  const totals = await room.run(
    WARM_MS,
    SECONDS * 1000,
    () => {
      cpu = cpuMs(contender.pid);
      own = process.cpuUsage();
      at = performance.now();
    },
    () => {
      cpu = cpuMs(contender.pid) - cpu;
      own = process.cpuUsage(own);
      at = performance.now() - at;
      rss = rssBytes(contender.pid);
    },
  );
  await room.close();
  const forwarded = totals.expected + totals.again;
  const asked =
    Array.from({ length: load.publishers }, (_, index) => load.voicePackets + load.picturePackets(index)).reduce(
      (sum, packets) => sum + packets,
      0,
    ) * SECONDS;
  const receivers = load.everybody ? load.publishers - 1 : load.subscribers;
  return {
    forwarded: forwarded / (at / 1000),
    carried: Math.min(totals.sent / asked, load.tiles === undefined ? totals.expected / (asked * receivers) : 1),
    micros: (cpu * 1000) / forwarded,
    load: cpu / at,
    generator: (own.user + own.system) / 1000 / at,
    lossPercent: (100 * (totals.expected - totals.received)) / Math.max(1, totals.expected),
    again: totals.again,
    broken: totals.broken,
    lateP99: totals.lateP99,
    rssMB: rss / 1e6,
    profiles: room.profiles,
  };
}

await program(async () => {
  needLinux();
  const certificate = await createCertificate();
  const contenders: VideoContender[] = [];
  if ('Fieldroom'.includes(ONLY)) contenders.push(await embedded(NODE_FLAGS));
  const peer = 'Janus'.includes(ONLY) ? await janus() : null;
  if (peer) contenders.push(peer);

  const results = loads.map((load) => ({
    load,
    rounds: new Map<VideoContender, Measured[]>(contenders.map((contender) => [contender, []])),
  }));
  for (let number = 0; number < ROUNDS; number++) {
    for (const { load, rounds } of results) {
      // Each round starts with the other engine.
      for (let index = 0; index < contenders.length; index++) {
        const contender = contenders[(index + number) % contenders.length]!;
        const result = await measure(contender, load, certificate);
        rounds.get(contender)!.push(result);
        console.log(
          [
            `round ${number + 1}`,
            load.name,
            `${contender.name}: ${show(result.micros)} µs`,
            `${Math.round(result.forwarded)}/s`,
            `${show(result.load * 100, 0)} % of a core`,
            `loss ${show(result.lossPercent, 3)} %`,
            `generator ${show(result.generator * 100, 0)} %`,
          ].join(', '),
        );
        await sleep(500);
      }
    }
  }

  const floor = await cipherFloor();
  const rows: Row[] = [];
  const aims: Aim[] = [];
  const data: unknown[] = [];
  for (const { load, rounds } of results) {
    const of = (contender: VideoContender, read: (result: Measured) => number) =>
      median(rounds.get(contender)!.map(read));
    for (const contender of contenders) {
      const all = rounds.get(contender)!;
      const micros = of(contender, (r) => r.micros);
      rows.push({
        load: load.name,
        engine: contender.name,
        'forwarded/s': Math.round(of(contender, (r) => r.forwarded)),
        'µs CPU/packet': show(micros),
        '÷ Janus': peer ? show(micros / of(peer, (r) => r.micros)) : '–',
        'carried %': show(of(contender, (r) => r.carried) * 100, 1),
        '% of a core': show(of(contender, (r) => r.load) * 100, 1),
        'loss %': show(
          of(contender, (r) => r.lossPercent),
          3,
        ),
        'sent again': Math.round(of(contender, (r) => r.again)),
        broken: Math.max(...all.map(({ broken }) => broken)),
        'generator %': show(of(contender, (r) => r.generator) * 100, 0),
        'late p99 ms': show(
          of(contender, (r) => r.lateP99),
          1,
        ),
        'RSS MB': Math.round(of(contender, (r) => r.rssMB)),
      });
      data.push({ load: load.name, engine: contender.name, rounds: all });
    }
    const [ours] = contenders;
    if (!ours || ours.name !== 'Fieldroom') continue;
    const loss = of(ours, (r) => r.lossPercent);
    // If engine or generator did not get a core, the numbers say nothing about the cost of a packet.
    const starved = contenders
      .filter(
        (contender) => of(contender, (r) => r.carried) < CARRIED_MIN || of(contender, (r) => r.lateP99) > LATE_MAX_MS,
      )
      .map(({ name }) => name);
    const withCaveat = (measured: string) =>
      starved.length === 0 ? measured : `${measured}, but the machine was busy (${starved.join(', ')})`;
    if (load.tiles === undefined && peer) {
      const ratio = of(ours, (r) => r.micros) / of(peer, (r) => r.micros);
      aims.push({
        what: `${load.name}: CPU per packet ÷ Janus`,
        aim: '≤ 1.2',
        measured: withCaveat(show(ratio)),
        reached: starved.length === 0 && ratio <= 1.2,
      });
    }
    if (load.tiles !== undefined) {
      const share = of(ours, (r) => r.load);
      aims.push({
        what: `${load.name}: of a core`,
        aim: '≤ 0.3',
        measured: withCaveat(show(share)),
        reached: starved.length === 0 && share <= 0.3,
      });
      aims.push({
        what: 'such rooms on two cores (by CPU time)',
        aim: '–',
        measured: withCaveat(String(Math.floor(2 / share))),
        reached: starved.length === 0,
      });
    }
    aims.push({
      what: `${load.name}: loss`,
      aim: '< 0.1 %',
      measured: withCaveat(`${show(loss, 3)} %`),
      reached: starved.length === 0 && loss < 0.1,
    });
  }
  const floors = floor.map((one): Row => ({
    payload: `${one.bytes} B`,
    'werift µs': show(one.werift),
    'AES_CM µs': show(one.counter),
    'GCM µs': show(one.gcm),
    'GCM by node:crypto alone': show(one.cipher),
    'send by dgram µs': show(one.send),
    connected: show(one.connected),
    'floor µs (AES_CM + send)': show(one.counter + one.send),
  }));

  const sections = [
    [
      `${SECONDS} s measured a turn, ${ROUNDS} alternating rounds, medians. A forwarded packet is one packet to one`,
      `subscriber, counted by sequence numbers; retransmissions count too. Subscribers request retransmission of`,
      `${REQUESTED_AGAIN * 100} % of the video packets. CPU is user and system time of the engine’s process (/proc, 10`,
      `ms). One packet in 64 is decrypted (\`broken\` counts those that were not intact).`,
    ].join(' '),
    table(rows),
    table(aimRows(aims)),
    `The minimum cost of a packet in this process on this machine (${availableParallelism()} cores), µs of CPU:`,
    table(floors),
  ];
  const lastLoad = loads.at(-1);
  if (PROFILE && canProfile() && 'Fieldroom'.includes(ONLY) && lastLoad) {
    const profiled = await embedded([...NODE_FLAGS, ...PROFILED_FLAGS]);
    const room = await openVideoRoom(profiled.engine, lastLoad, certificate);
    let cpu = 0;
    let parts: Awaited<ReturnType<typeof profile>> = [];
    // Sample only after V8 has compiled the code.
    const sampling = sleep(2 * WARM_MS)
      .then(() => profile(profiled.pid, SECONDS))
      .then((sampled) => {
        parts = sampled;
      });
    const totals = await room.run(
      2 * WARM_MS,
      SECONDS * 1000 + 1000,
      () => {
        cpu = cpuMs(profiled.pid);
      },
      () => {
        cpu = cpuMs(profiled.pid) - cpu;
      },
    );
    await sampling;
    await room.close();
    const micros = (cpu * 1000) / Math.max(1, totals.expected + totals.again);
    sections.push(
      `Where the time goes (${lastLoad.name}, our engine, by perf), of ${show(micros, 1)} µs a packet:`,
      table(
        parts.map(({ part, share }) => ({ part, '%': show(share * 100, 1), 'µs a packet': show(micros * share, 1) })),
      ),
    );
  }
  if (peer === null && 'Janus'.includes(ONLY))
    sections.push('Janus is not installed (`apt-get install janus`); no comparison.');
  if (RESULT === '') console.log(sections.join('\n\n'));
  else
    await keep(RESULT, 'Video', sections, {
      seconds: SECONDS,
      rounds: ROUNDS,
      results: data,
      aims,
      floor: floor.map((one) => Object.fromEntries(Object.entries(one).map(([name, value]) => [name, round(value)]))),
    });
});
