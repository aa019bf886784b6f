/**
 * Video: how many full rooms two cores can carry, and how much memory a room takes while people come and go. See
 * README.md and video.ts.
 *
 * Settings: BENCH_PARTS (1: rooms at once, 2: memory), BENCH_SECONDS (10, measured at each step), BENCH_MINUTES (20, of
 * memory), BENCH_SHARE (0.2, share of the usual rates while memory is measured; in memory only the two seconds of
 * packets for retransmission depend on it, about 1 MB of a full room), BENCH_RESULT (name of the result; empty writes
 * none).
 */
import { LOUDEST_VOICES } from '@fieldroom/contract/video';
import { createCertificate } from '../../server/src/features/video/engine/transport/dtls.ts';
import { keep, listSetting, round, type Row, setting, show, slope, table } from '../lib/numbers.ts';
import { cpuMs, needLinux, program, rssBytes, sleep } from '../lib/service/processes.ts';
import { type Load, openVideoRoom } from '../lib/video/video-room.ts';
import { embedded } from '../peers/video-contenders.ts';

const PARTS = listSetting('BENCH_PARTS', [1, 2]);
const SECONDS = setting('BENCH_SECONDS', 10);
const MINUTES = setting('BENCH_MINUTES', 20);
const SHARE = setting('BENCH_SHARE', 0.2);
const RESULT = process.env['BENCH_RESULT'] ?? 'video-rooms';
const WARM_MS = 4000;
const PEOPLE = 25;
/** A person leaves and returns at this interval. */
const REJOIN_MS = 5000;
const SAMPLE_MS = 5000;
/** The slope is measured after this share of the time: before, code is compiled and ring buffers fill. */
const SETTLED = 0.25;
/**
 * Packets that such a room forwards per second: to each person twelve videos, the therapist's in two packets a frame,
 * and the audio of the loudest and of the therapist, except their own.
 */
const NOMINAL = 9_300;

const room = (share: number): Load => ({
  name: 'room of 25, 12 tiles and 3 voices',
  publishers: PEOPLE,
  voicePackets: 50 * share,
  voiceBytes: 80,
  frames: (index) => (index === 0 ? 20 : 15) * share,
  picturePackets: (index) => (index === 0 ? 40 : 15) * share,
  pictureBytes: (index) => (index === 0 ? 625 : 833),
  subscribers: 0,
  everybody: true,
  tiles: 11,
  loudestVoices: LOUDEST_VOICES,
  again: 0.01,
});

/** Memory at a moment: minutes since the start, MB of the process and of its thread. */
interface Sample {
  minute: number;
  rss: number;
  worker: number;
}

/** Means over five minutes, in whole MB. The results keep these and not the samples, one every five seconds. */
function fiveMinuteMeans(samples: readonly Sample[]): Sample[] {
  const groups = Map.groupBy(samples, ({ minute }) => Math.floor(minute / 5) * 5);
  return [...groups].map(([minute, group]) => {
    const mean = (name: 'rss' | 'worker') =>
      Math.round(group.reduce((sum, sample) => sum + sample[name], 0) / group.length);
    return { minute, rss: mean('rss'), worker: mean('worker') };
  });
}

await program(async () => {
  needLinux();
  const certificate = await createCertificate();
  const sections: string[] = [];
  const data: Record<string, unknown> = { seconds: SECONDS, minutes: MINUTES, share: SHARE };

  if (PARTS.includes(1)) {
    const rows: Row[] = [];
    for (const count of [1, 2]) {
      const engine = await embedded([], 2);
      const rooms = [];
      for (let number = 0; number < count; number++)
        rooms.push(await openVideoRoom(engine.engine, room(1), certificate));
      let [cpu, own, at] = [0, process.cpuUsage(), 0];
      const begin = () => {
        [cpu, own, at] = [cpuMs(engine.pid), process.cpuUsage(), performance.now()];
      };
      let measured = { load: 0, generator: 0, seconds: 0 };
      const end = () => {
        const ms = performance.now() - at;
        own = process.cpuUsage(own);
        measured = {
          load: (cpuMs(engine.pid) - cpu) / ms,
          generator: (own.user + own.system) / 1000 / ms,
          seconds: ms / 1000,
        };
      };
      const none = () => undefined;
      const totals = await Promise.all(
        rooms.map((one, number) =>
          one.run(WARM_MS, SECONDS * 1000, number === 0 ? begin : none, number === 0 ? end : none),
        ),
      );
      const sum = (name: 'expected' | 'received' | 'again' | 'sent' | 'broken') =>
        totals.reduce((all, one) => all + one[name], 0);
      const asked = count * (PEOPLE * 65 + 25) * SECONDS;
      rows.push({
        rooms: count,
        threads: 2,
        'forwarded/s': Math.round((sum('expected') + sum('again')) / measured.seconds),
        '% of a core': show(measured.load * 100, 1),
        'µs a packet': show((measured.load * measured.seconds * 1e6) / (sum('expected') + sum('again')), 2),
        'loss %': show((100 * (sum('expected') - sum('received'))) / Math.max(1, sum('expected')), 3),
        broken: sum('broken'),
        'carried %': show(
          Math.min((100 * sum('sent')) / asked, (100 * sum('expected')) / (count * NOMINAL * SECONDS)),
          1,
        ),
        'generator %': show(measured.generator * 100, 0),
        'late p99 ms': show(Math.max(...totals.map(({ lateP99 }) => lateP99)), 1),
        'RSS MB': Math.round(rssBytes(engine.pid) / 1e6),
      });
      console.log(rows.at(-1));
      for (const one of rooms) await one.close();
      process.kill(engine.pid);
      await sleep(500);
    }
    const last = rows.at(-1)!;
    const each = (Number(last['µs a packet']) * NOMINAL) / 1e6;
    const busy = Number(last['carried %']) < 95 ? ' The machine was busy: not everything was carried.' : '';
    sections.push(
      [
        `Full rooms with selective forwarding at once, each in a thread of its own, ${SECONDS} s.`,
        `The generator uses the same two cores.`,
      ].join(' '),
      table(rows),
      `By CPU time two cores carry **${Math.floor(2 / each)}** such rooms.${busy}`,
    );
    data['rooms'] = rows;
  }

  if (PARTS.includes(2)) {
    const engine = await embedded();
    const read = async () => ({
      rss: round(rssBytes(engine.pid) / 1e6, 1),
      worker: round(((await engine.stats())?.bytes ?? 0) / 1e6, 1),
    });
    // The first answer arrives when the process has started.
    await engine.stats();
    const empty = await read();
    const one = await openVideoRoom(engine.engine, room(SHARE), certificate);
    const flow = one.flow();
    const samples: Sample[] = [];
    const startMs = performance.now();
    const cpu = cpuMs(engine.pid);
    let [rejoins, next] = [0, startMs + REJOIN_MS];
    while (performance.now() - startMs < MINUTES * 60_000) {
      await sleep(SAMPLE_MS);
      samples.push({ minute: (performance.now() - startMs) / 60_000, ...(await read()) });
      if (performance.now() < next) continue;
      next += REJOIN_MS;
      // The therapist never leaves.
      await one.replace(1 + (rejoins++ % (PEOPLE - 1)));
    }
    const load = (cpuMs(engine.pid) - cpu) / (performance.now() - startMs);
    flow.stop();
    await one.close();
    await sleep(15_000);
    const after = await read();
    const settled = samples.filter(({ minute }) => minute >= MINUTES * SETTLED);
    const of = (name: 'rss' | 'worker') => {
      const values = settled.map((sample) => sample[name]);
      const rise = (some: typeof samples) => slope(some.map((sample) => [sample.minute, sample[name]] as const));
      return {
        name,
        empty: empty[name],
        min: Math.min(...values),
        middle: [...values].sort((a, b) => a - b)[values.length >> 1]!,
        max: Math.max(...values),
        slope: rise(settled),
        late: rise(samples.filter(({ minute }) => minute >= (MINUTES * 2) / 3)),
        after: after[name],
      };
    };
    const rows = (['rss', 'worker'] as const).map(of).map((all): Row => ({
      memory: all.name === 'rss' ? 'process (RSS)' : 'its thread (heap and external)',
      'empty MB': round(all.empty, 1),
      'minimum MB': round(all.min, 1),
      'median MB': round(all.middle, 1),
      'maximum MB': round(all.max, 1),
      'slope MB/min': round(all.slope, 3),
      'of the last third': round(all.late, 3),
      '15 s after the room MB': round(all.after, 1),
    }));
    console.log(rows, one.refusals);
    const means = fiveMinuteMeans(samples);
    sections.push(
      [
        `A room of ${PEOPLE} for ${MINUTES} minutes at ${SHARE * 100} % of the rates (${show(load * 100, 0)} % of a`,
        `core); ${rejoins} times a person left with both connections and returned, and all others accepted the new`,
        `offers. In the last ${Math.round((1 - SETTLED) * MINUTES)} minutes:`,
      ].join(' '),
      table(rows),
      [
        `Means over five minutes, process: ${means.map(({ rss }) => rss).join(', ')} MB;`,
        `its thread: ${means.map(({ worker }) => worker).join(', ')} MB.`,
      ].join(' '),
      one.refusals.length === 0 ? 'No request was refused.' : `Refused: ${[...new Set(one.refusals)].join('; ')}.`,
    );
    data['memory'] = { empty, means, after, rejoins, refusals: one.refusals };
  }
  if (RESULT === '') console.log(sections.join('\n\n'));
  else await keep(RESULT, 'Video: rooms at once and memory', sections, data);
});
