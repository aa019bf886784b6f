import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { NODE_FLAGS } from '../../../tests/support/programs/process.ts';
import { createQuietMemory } from './quiet-memory.ts';

function quietMemory() {
  const traffic = { connections: 0, framesIn: 0 };
  let collected = 0;
  const memory = createQuietMemory({ traffic: () => traffic, collect: () => (collected += 1) });
  const look = async (times = 1) => {
    for (let i = 0; i < times; i += 1) await memory.look();
    return collected;
  };
  return { traffic, look };
}

test('collects once after the start, at the second look that finds nobody', async () => {
  const { look } = quietMemory();
  expect(await look()).toBe(0);
  expect(await look()).toBe(1);
  expect(await look(5)).toBe(1);
});

test('never collects while somebody is connected', async () => {
  const { traffic, look } = quietMemory();
  traffic.connections = 1;
  expect(await look(5)).toBe(0);
});

test('collects again after people were there, also when they came and left between two looks', async () => {
  const { traffic, look } = quietMemory();
  expect(await look(2)).toBe(1);
  traffic.framesIn = 12;
  expect(await look()).toBe(1);
  expect(await look(5)).toBe(2);
  traffic.connections = 2;
  traffic.framesIn = 40;
  expect(await look(3)).toBe(2);
  traffic.connections = 0;
  expect(await look()).toBe(2);
  expect(await look(5)).toBe(3);
});

test('does nothing where Node runs without the flag', async () => {
  const memory = createQuietMemory({ traffic: () => ({ connections: 0, framesIn: 0 }), collect: null });
  await memory.look();
  await expect(memory.look()).resolves.toBeUndefined();
});

test('the flags of the server give Node what collects', () => {
  const [typeOfGc] = execFileSync(process.execPath, [...NODE_FLAGS, '--print', 'typeof globalThis.gc'])
    .toString()
    .split('\n');
  expect(typeOfGc).toBe('function');
});
