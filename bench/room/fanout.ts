/**
 * Field fan-out: 25 people in a room all drag at 30 positions a second. Measures the server's CPU for each delivered
 * position and the latency from sender to receiver. Then adds rooms until one core is not enough. See README.md.
 *
 * Settings: BENCH_SECONDS (60), BENCH_ROUNDS (3), BENCH_LADDER (rooms, 1,2,4,7,10,15,20,25,30,40), BENCH_LADDER_SECONDS
 * (10), BENCH_ONLY (part of a contender's name), BENCH_NODE_FLAGS (for our server, as --cpu-prof), BENCH_RESULT (name
 * of the result, `fanout`; empty writes none).
 */
import { type Contender, drag, type Measured, PEOPLE, PER_SECOND } from '../lib/room/crowd.ts';
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
import { fieldroom, rabbitmq, socketio } from '../peers/contenders.ts';

const SECONDS = setting('BENCH_SECONDS', 60);
const ROUNDS = setting('BENCH_ROUNDS', 3);
const LADDER = listSetting('BENCH_LADDER', [1, 2, 4, 7, 10, 15, 20, 25, 30, 40]);
const LADDER_SECONDS = setting('BENCH_LADDER_SECONDS', 10);
const ONLY = process.env['BENCH_ONLY'] ?? '';
const NODE_FLAGS = nodeFlags();
const RESULT = process.env['BENCH_RESULT'] ?? 'fanout';
/** Above these limits the rooms are too many. */
const P99_MAX_MS = 250;
const LOAD_MAX = 0.95;

/** The reasons why this number of rooms is too many; empty if the server can carry them. */
function overloadReasons(result: Measured): string[] {
  const reasons: string[] = [];
  if (result.p99 > P99_MAX_MS) reasons.push(`p99 over ${P99_MAX_MS} ms`);
  if (result.serverLoad > LOAD_MAX) reasons.push(`server over ${LOAD_MAX * 100} % of a core`);
  if (result.actsMissing > 0) reasons.push(`${result.actsMissing} drops missing`);
  if (!result.equal) reasons.push('browsers differ');
  if (result.complaints.some((complaint) => complaint.includes('connection closed')))
    reasons.push(result.complaints.join(', '));
  return reasons;
}

const numbers = (result: Measured): Row => ({
  'deliveries/s': Math.round(result.delivered / result.seconds),
  'delivered %': show(result.share * 100, 1),
  'server % of a core': show(result.serverLoad * 100, 1),
  'µs CPU/delivery': show(result.microsPerDelivery),
  'p50 ms': show(result.p50),
  'p99 ms': show(result.p99),
  'generator %': show(result.generatorLoad * 100, 0),
  equal: result.equal ? 'yes' : 'no',
});

const medians = (results: readonly Measured[]): Measured => {
  const of = (read: (result: Measured) => number) => median(results.map(read));
  return {
    sent: of((r) => r.sent),
    delivered: of((r) => r.delivered),
    share: of((r) => r.share),
    p50: of((r) => r.p50),
    p99: of((r) => r.p99),
    seconds: of((r) => r.seconds),
    cpuMs: of((r) => r.cpuMs),
    serverLoad: of((r) => r.serverLoad),
    generatorLoad: of((r) => r.generatorLoad),
    microsPerDelivery: of((r) => r.microsPerDelivery),
    lateP99: of((r) => r.lateP99),
    actsMissing: Math.max(...results.map((r) => r.actsMissing)),
    equal: results.every((r) => r.equal),
    complaints: results.flatMap((r) => r.complaints),
  };
};

await program(async () => {
  needLinux();
  const makers: [string, () => Promise<Contender | null>][] = [
    ['Fieldroom', () => fieldroom(NODE_FLAGS)],
    ['socket.io', () => socketio('plain')],
    ['socket.io, 16 ms batches', () => socketio('batched')],
    ['RabbitMQ web-stomp', rabbitmq],
  ];
  const contenders: Contender[] = [];
  const absent: string[] = [];
  for (const [name, make] of makers) {
    if (!name.includes(ONLY)) continue;
    console.log(`starting ${name} …`);
    const contender = await make();
    if (contender === null) absent.push(name);
    else contenders.push(contender);
  }

  // One room for each server, in turns.
  const rounds = new Map<Contender, Measured[]>(contenders.map((contender) => [contender, []]));
  for (const contender of contenders) await contender.rooms(1);
  // CPU of each server while 25 people are connected and nobody moves.
  await sleep(2000);
  const idleBefore = contenders.map(({ pid }) => cpuMs(pid));
  const idleFrom = performance.now();
  await sleep(Math.min(10, SECONDS) * 1000);
  const idle = contenders.map(({ pid }, index) => (cpuMs(pid) - idleBefore[index]!) / (performance.now() - idleFrom));
  for (let number = 0; number < ROUNDS; number++) {
    // Each round starts with a different server, so that none always follows the same one.
    for (let index = 0; index < contenders.length; index++) {
      const contender = contenders[(index + number) % contenders.length]!;
      const result = await drag(contender, await contender.rooms(1), SECONDS, cpuMs);
      rounds.get(contender)!.push(result);
      console.log(
        [
          `round ${number + 1}, ${contender.name}: ${show(result.microsPerDelivery)} µs`,
          `p50 ${show(result.p50)} ms`,
          `p99 ${show(result.p99)} ms`,
          ...result.complaints,
        ].join(', '),
      );
      await sleep(500);
    }
  }
  const one = contenders.map((contender, index) => ({
    name: contender.name,
    idleLoad: idle[index]!,
    ...medians(rounds.get(contender)!),
  }));
  const ours = one.find(({ name }) => name === 'Fieldroom');
  const plain = one.find(({ name }) => name === 'socket.io');
  const oneRows = one.map((result): Row => ({
    '1 room': result.name,
    ...numbers(result),
    'idle %': show(result.idleLoad * 100, 1),
    'CPU ÷ socket.io': plain ? show(result.microsPerDelivery / plain.microsPerDelivery) : '–',
    'p99 − socket.io ms': plain ? show(result.p99 - plain.p99) : '–',
  }));

  // Adds rooms for each server until they are too many.
  const steps: ({ name: string; rooms: number; rssMB: number; reasons: string[] } & Measured)[] = [];
  const ends: Row[] = [];
  for (const contender of contenders) {
    let carried = 0;
    let end = 'not reached';
    for (const count of LADDER) {
      let rooms;
      try {
        rooms = await contender.rooms(count);
      } catch (error) {
        end = `${count} rooms could not be opened: ${error instanceof Error ? error.message.slice(0, 80) : 'unknown'}`;
        break;
      }
      const result = await drag(contender, rooms, LADDER_SECONDS, cpuMs);
      const reasons = overloadReasons(result);
      steps.push({
        name: contender.name,
        rooms: count,
        rssMB: round(rssBytes(contender.pid) / 1e6, 0),
        reasons,
        ...result,
      });
      console.log(
        [
          `${contender.name}, ${count} rooms: ${Math.round(result.serverLoad * 100)} % of a core`,
          `p99 ${show(result.p99)} ms`,
          ...reasons,
          ...result.complaints,
        ].join(', '),
      );
      if (reasons.length > 0) {
        const generator = result.generatorLoad > 0.9 ? '; the generator was at its limit too' : '';
        end = `at ${count} rooms (${count * PEOPLE} people): ${reasons.join(', ')}${generator}`;
        break;
      }
      carried = count;
      await sleep(500);
    }
    ends.push({ 'One core': contender.name, 'rooms carried': carried, people: carried * PEOPLE, breaks: end });
    // Stop it, so that it does not slow down the next one.
    await contender.stop();
  }
  const stepRows = steps.map((step): Row => ({
    Rooms: `${step.name}, ${step.rooms}`,
    ...numbers(step),
    'RSS MB': step.rssMB,
  }));

  const aims: Aim[] = [];
  if (ours && plain) {
    aims.push({
      what: 'CPU per delivery ÷ socket.io',
      aim: '≤ 0.35',
      measured: show(ours.microsPerDelivery / plain.microsPerDelivery),
      reached: ours.microsPerDelivery <= 0.35 * plain.microsPerDelivery,
    });
    aims.push({
      what: 'p99 from sender to receiver',
      aim: '≤ socket.io + 16 ms',
      measured: `${show(ours.p99)} ms (socket.io ${show(plain.p99)} ms)`,
      reached: ours.p99 <= plain.p99 + 16,
    });
    for (const count of [10, 40]) {
      const our = steps.find(({ name, rooms }) => name === 'Fieldroom' && rooms === count);
      const their = steps.find(({ name, rooms }) => name === 'socket.io' && rooms === count);
      if (our && their)
        aims.push({
          what: `CPU per delivery ÷ socket.io, ${count} rooms`,
          aim: '≤ 0.35',
          measured: show(our.microsPerDelivery / their.microsPerDelivery),
          reached: our.microsPerDelivery <= 0.35 * their.microsPerDelivery,
        });
    }
  }
  if (ours)
    aims.push({
      what: 'all browsers equal at the end',
      aim: 'yes',
      measured: ours.equal ? 'yes' : 'no',
      reached: ours.equal,
    });

  const sections = [
    [
      `${PEOPLE} people a room, ${PER_SECOND} positions a second each; ${ROUNDS} alternating rounds of ${SECONDS} s,`,
      `medians; each step with more rooms ${LADDER_SECONDS} s, once. A delivery is one position of one figure arriving`,
      `at one other person; the echo to the sender costs CPU but does not count. CPU is that of the server’s process`,
      `without Fieldroom’s database; RabbitMQ’s includes all its schedulers. Everybody’s field is compared with the`,
      `server’s after all figures have been dropped.`,
    ].join(' '),
    table(oneRows),
    ...(aims.length > 0 ? [table(aimRows(aims))] : []),
    table(ends),
    table(stepRows),
    ...(absent.length > 0 ? [`Not here: ${absent.join(', ')}.`] : []),
  ];
  const data = {
    seconds: SECONDS,
    rounds: ROUNDS,
    ladderSeconds: LADDER_SECONDS,
    oneRoom: one,
    everyRound: Object.fromEntries([...rounds].map(([contender, results]) => [contender.name, results])),
    ladder: steps,
    ends,
    aims,
    absent,
  };
  if (RESULT === '') console.log(sections.join('\n\n'));
  else await keep(RESULT, 'Fan-out of the field', sections, data);
});
