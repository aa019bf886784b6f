import { expect, test, vi } from 'vitest';
import { createPictureWork } from './picture-work.ts';

/** Work that ends when the test says so. */
function held() {
  let end = (_jpeg: Buffer) => {};
  const work = vi.fn(() => new Promise<Buffer>((resolve) => (end = resolve)));
  return { work, end: (jpeg: Buffer = Buffer.from('jpeg')) => end(jpeg) };
}

test('a JPEG is made once, also for several who ask meanwhile, and again only after others took its room', async () => {
  const { share } = createPictureWork({ keptBytes: 10 });
  const first = held();
  const asked = [share('one', 'a', first.work), share('one', 'a', first.work), share('one', 'b', first.work)];
  first.end(Buffer.from('12345'));
  expect((await Promise.all(asked)).map(String)).toEqual(['12345', '12345', '12345']);
  expect(first.work).toHaveBeenCalledOnce();
  const make = vi.fn(async () => Buffer.from('12345'));
  await share('two', 'a', make);
  await share('one', 'a', make);
  expect(make).toHaveBeenCalledOnce();
  // `two` is the one that nobody asked for lately.
  await share('three', 'a', make);
  await share('one', 'a', make);
  expect(make).toHaveBeenCalledTimes(2);
  await share('two', 'a', make);
  expect(make).toHaveBeenCalledTimes(3);
});

test('a JPEG that could not be made is tried again', async () => {
  const { share } = createPictureWork();
  await expect(share('one', 'a', async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(String(await share('one', 'a', async () => Buffer.from('jpeg')))).toBe('jpeg');
});

test('whoever asks for very many JPEGs waits and is refused alone', async () => {
  const { share } = createPictureWork();
  const running = held();
  const work = [share('first', 'crowd', running.work)];
  const made = vi.fn(async () => Buffer.from('jpeg'));
  for (let nth = 0; nth < 20; nth++) work.push(share(`crowd ${nth}`, 'crowd', made));
  const refused = share('one too many', 'crowd', made);
  // Somebody else who asks for the same at that moment is not refused with the crowd.
  const wanted = share('one too many', 'somebody else', async () => Buffer.from('jpeg'));
  await expect(refused).rejects.toMatchObject({ code: 'too_many_requests' });
  const order: string[] = [];
  const other = share('other', 'somebody', async () => Buffer.from(`after ${made.mock.calls.length}`)).then((jpeg) =>
    order.push(String(jpeg)),
  );
  running.end();
  await Promise.all([...work, wanted, other]);
  // Blocks take turns, so one of the crowd is made before.
  expect(order).toEqual(['after 1']);
});

test('two pictures are rendered at the same time, and one of a sender', async () => {
  const { render } = createPictureWork();
  const [one, two, three] = [held(), held(), held()];
  const work = [render('anna', one.work), render('anna', two.work), render('bela', three.work)];
  expect([one, two, three].map(({ work: { mock } }) => mock.calls.length)).toEqual([1, 0, 1]);
  one.end();
  await work[0];
  await vi.waitFor(() => expect(two.work).toHaveBeenCalledOnce());
  two.end();
  three.end();
  await Promise.all(work);
});
