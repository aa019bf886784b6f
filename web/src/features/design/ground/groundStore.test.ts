// @vitest-environment happy-dom
/** The room's background by its messages: the last one counts, and pictures are shown only once decoded. */
import { expect, test } from 'vitest';
import type { Ground } from '@fieldroom/contract/design';
import { ApiProblem } from '../../../platform/api/index.ts';
import { fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import { createGroundStore } from './groundStore.ts';

const unreadable = new DOMException('', 'EncodingError');

/** Pictures arrive when the test says so. */
function room() {
  const connection = fakeConnection();
  const asked = new Map<string, { arrive(url: string): void; fail(fault?: Error): void }>();
  const store = createGroundStore(
    connection,
    (imageId) =>
      new Promise((arrive, fail) => {
        asked.set(imageId, { arrive, fail: (fault: Error = unreadable) => fail(fault) });
      }),
  );
  const tell = (contents: Ground) => connection.say({ eventType: 'GROUND', contents });
  const settled = () => new Promise((done) => setTimeout(done));
  return { store, asked, tell, settled };
}

test('there is no background before the room sends it, then a colour is shown at once', () => {
  const { store, tell } = room();
  let heard = 0;
  store.subscribe(() => (heard += 1));
  expect(store.get()).toBeNull();
  tell({ color: '#224466', imageId: null });
  expect(store.get()).toEqual({ color: '#224466', url: null });
  expect(heard).toBe(1);
  store.close();
  tell({ color: null, imageId: null });
  expect(store.get()).toEqual({ color: '#224466', url: null });
});

test('a picture is shown once it is decoded, and stays until the next one is', async () => {
  const { store, asked, tell, settled } = room();
  tell({ color: null, imageId: 'one' });
  expect(store.get()).toEqual({ color: null, url: null });
  asked.get('one')?.arrive('blob:1');
  await settled();
  expect(store.get()).toEqual({ color: null, url: 'blob:1' });
  tell({ color: '#ffffff', imageId: 'two' });
  expect(store.get()).toEqual({ color: '#ffffff', url: 'blob:1' });
  asked.get('two')?.arrive('blob:2');
  await settled();
  expect(store.get()).toEqual({ color: '#ffffff', url: 'blob:2' });
});

test('a picture that arrives after the next message is not shown; a failed one leaves the colour', async () => {
  const { store, asked, tell, settled } = room();
  tell({ color: '#224466', imageId: 'one' });
  tell({ color: '#224466', imageId: null });
  asked.get('one')?.arrive('blob:1');
  await settled();
  expect(store.get()).toEqual({ color: '#224466', url: null });
  tell({ color: '#224466', imageId: 'two' });
  asked.get('two')?.fail();
  await settled();
  expect(store.get()).toEqual({ color: '#224466', url: null });
});

test('a picture of the field waits for the background’s picture, and never shows that of another background', async () => {
  const { store, asked, tell, settled } = room();
  expect(store.whole()).toBeNull();
  tell({ color: '#224466', imageId: 'one' });
  expect(store.whole()).toBeNull();
  asked.get('one')?.arrive('blob:1');
  await settled();
  expect(store.whole()).toEqual({ color: '#224466', url: 'blob:1' });
  tell({ color: '#ffffff', imageId: 'two' });
  expect(store.whole()).toBeNull();
  asked.get('two')?.fail();
  await settled();
  expect(store.whole()).toEqual({ color: '#ffffff', url: null });
  tell({ color: null, imageId: null });
  expect(store.whole()).toEqual({ color: null, url: null });
});

test('11.36 a picture that could not be fetched is fetched again, unless it was deleted or the background changed', async () => {
  const { store, asked, tell, settled } = room();
  const online = async () => {
    asked.clear();
    window.dispatchEvent(new Event('online'));
    await settled();
    return [...asked.keys()];
  };
  tell({ color: '#224466', imageId: 'one' });
  asked.get('one')?.fail(new ApiProblem('offline'));
  await settled();
  expect(store.get()).toEqual({ color: '#224466', url: null });
  expect(await online()).toEqual(['one']);
  asked.get('one')?.arrive('blob:1');
  await settled();
  expect([store.get(), store.whole()]).toEqual(Array(2).fill({ color: '#224466', url: 'blob:1' }));
  expect(await online()).toEqual([]);

  for (const fault of [new ApiProblem('not_found'), unreadable]) {
    tell({ color: null, imageId: 'two' });
    asked.get('two')?.fail(fault);
    await settled();
    expect(await online()).toEqual([]);
  }
  tell({ color: null, imageId: 'three' });
  // The code that fetches it failed to load.
  asked.get('three')?.fail(new TypeError('Failed to fetch'));
  await settled();
  expect(await online()).toEqual(['three']);
  asked.get('three')?.fail(new ApiProblem('offline'));
  await settled();
  tell({ color: null, imageId: null });
  expect(await online()).toEqual([]);
  tell({ color: null, imageId: 'four' });
  asked.get('four')?.fail(new ApiProblem('offline'));
  await settled();
  store.close();
  expect(await online()).toEqual([]);
});
