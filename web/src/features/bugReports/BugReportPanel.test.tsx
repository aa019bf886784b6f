/** The bug report as a person meets it, with an imagined server at the network's edge. Numbers: docs/product.md. */
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { BUG_SUCCESS_MS } from '@fieldroom/contract/bugReports';
import { startWords } from '../../platform/i18n/app.ts';
import { theme } from '../../ui/theme/theme.ts';
import { browserName, circumstances, systemName } from './circumstances.ts';
import { LazyBugReport } from './index.ts';

const takePicture = vi.hoisted(() => vi.fn<() => Promise<Blob>>());
vi.mock('./takePicture.ts', () => ({ takePicture }));

const sent: { value: Record<string, unknown>; screenshot: FormDataEntryValue | null }[] = [];
let answer: () => Response | Promise<Response>;

beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['bugReports']);
});
beforeEach(() => {
  sent.length = 0;
  answer = () => new Response(null, { status: 204 });
  takePicture.mockImplementation(async () => new Blob(['png'], { type: 'image/png' }));
  vi.stubGlobal('fetch', async (_: string, { body }: { body: FormData }) => {
    sent.push({ value: JSON.parse(String(body.get('value'))), screenshot: body.get('screenshot') });
    return answer();
  });
  window.history.replaceState(null, '', '/user/join/SECRET?code=SECRET#SECRET');
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  takePicture.mockReset();
});

const smiley = () => screen.getByRole('button', { name: 'Report a problem' });
const panel = () => within(screen.getByRole('dialog', { name: 'Report a problem' }));
async function open() {
  render(
    <MantineProvider theme={theme} env="test">
      <LazyBugReport />
    </MantineProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Report a problem' }));
  await screen.findByRole('dialog', { name: 'Report a problem' });
}
const sendButton = () => panel().getByRole<HTMLButtonElement>('button', { name: 'Send report' });
const comment = () => panel().getByLabelText<HTMLTextAreaElement>('What happened?');
const fill = async () => {
  await userEvent.click(panel().getByRole('radio', { name: 'High' }));
  await userEvent.type(comment(), 'It broke.');
};

test('12.26 opening takes a picture and shows it; it can be deleted and taken again; the panel has its sizes', async () => {
  await open();
  expect(await panel().findByRole('img', { name: /Picture of the page/ })).toBeTruthy();
  const { style } = screen.getByRole('dialog');
  expect([style.getPropertyValue('--bug-width'), style.getPropertyValue('--bug-height')]).toEqual(['350px', '575px']);
  expect(style.getPropertyValue('--bug-preview')).toBe('297px');
  await userEvent.click(panel().getByRole('button', { name: 'Delete picture' }));
  expect(panel().queryByRole('img')).toBeNull();
  expect(style.getPropertyValue('--bug-height')).toBe('320px');
  expect(panel().getByText('The report is sent without a picture.')).toBeTruthy();
  await userEvent.click(panel().getByRole('button', { name: 'Take again' }));
  expect(await panel().findByRole('img')).toBeTruthy();
  expect(takePicture).toHaveBeenCalledTimes(2);
});

test('12.26 without a picture the form works and says so', async () => {
  takePicture.mockRejectedValue(new Error('cannot draw'));
  await open();
  expect(await panel().findByText('No picture could be taken. You can send the report without one.')).toBeTruthy();
  await fill();
  await userEvent.click(sendButton());
  expect(await screen.findByText('Thank you for your report!')).toBeTruthy();
  expect(sent[0]).toMatchObject({ value: { noImg: true }, screenshot: null });
});

test('12.27 missing fields are reported only after a try; then sending waits until nothing is missing', async () => {
  await open();
  await panel().findByRole('img');
  expect([screen.queryByText('Priority required'), screen.queryByText('Comment required')]).toEqual([null, null]);
  expect(sendButton().disabled).toBe(false);
  await userEvent.click(sendButton());
  expect(panel().getByText('Priority required')).toBeTruthy();
  expect(panel().getByText('Comment required')).toBeTruthy();
  expect(sendButton().disabled).toBe(true);
  await userEvent.type(comment(), '   ');
  expect(sendButton().disabled).toBe(true);
  await fill();
  expect([screen.queryByText('Priority required'), screen.queryByText('Comment required')]).toEqual([null, null]);
  expect(sendButton().disabled).toBe(false);
  expect(sent).toEqual([]);
});

test('12.27 a comment with invisible characters is reported at its field, and not sent', async () => {
  await open();
  await panel().findByRole('img');
  await userEvent.click(panel().getByRole('radio', { name: 'High' }));
  await userEvent.click(comment());
  await userEvent.paste('It broke\u200B.');
  await userEvent.click(sendButton());
  expect(panel().getByRole('alert').textContent).toBe('This contains characters that can’t be displayed safely.');
  expect(comment().getAttribute('aria-invalid')).toBe('true');
  expect(sent).toEqual([]);
  await userEvent.clear(comment());
  await userEvent.type(comment(), 'It broke.');
  await userEvent.click(sendButton());
  expect(await screen.findByText('Thank you for your report!')).toBeTruthy();
});

test('11.75 the comment says how much more text fits', async () => {
  await open();
  await userEvent.click(comment());
  await userEvent.paste('x'.repeat(1980));
  const left = panel().getByText('20 characters left');
  expect(comment().getAttribute('aria-describedby')).toBe(left.id);
});

test('12.28 a report is sent with its circumstances; the panel says thanks and closes after 5 seconds', async () => {
  await open();
  await panel().findByRole('img');
  await fill();
  vi.useFakeTimers();
  fireEvent.click(sendButton());
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(screen.getByText('Thank you for your report!')).toBeTruthy();
  expect(sent[0]!.value).toMatchObject({ appId: 'fieldroom', priority: 2, comment: 'It broke.', noImg: false });
  expect(sent[0]!.value).toMatchObject({ page: '/user/join', language: 'en', theme: 'light.blueyale' });
  expect(JSON.stringify(sent[0])).not.toContain('SECRET');
  expect((sent[0]!.screenshot as File).size).toBe(3);
  await act(() => vi.advanceTimersByTimeAsync(BUG_SUCCESS_MS - 1));
  expect(screen.queryByRole('dialog')).not.toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('12.28 a failure is shown, nothing typed is lost, and it can be sent again', async () => {
  answer = () =>
    new Response(JSON.stringify({ code: 'unavailable', status: 503 }), {
      status: 503,
      headers: { 'content-type': 'application/problem+json' },
    });
  await open();
  await panel().findByRole('img');
  await fill();
  await userEvent.click(sendButton());
  expect((await panel().findByRole('alert')).textContent).toContain('The report wasn’t sent.');
  expect(comment().value).toBe('It broke.');
  expect(panel().getByRole<HTMLInputElement>('radio', { name: 'High' }).checked).toBe(true);
  expect(panel().getByRole('img')).toBeTruthy();
  answer = () => new Response(null, { status: 204 });
  await userEvent.click(sendButton());
  expect(await screen.findByText('Thank you for your report!')).toBeTruthy();
  await userEvent.click(panel().getAllByRole('button', { name: 'Close' })[0]!);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('12.26 Escape closes the panel and returns the focus; reopening starts again', async () => {
  await open();
  expect(document.activeElement).toBe(screen.getByRole('dialog'));
  await panel().findByRole('img');
  await fill();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(smiley());
  await userEvent.click(smiley());
  expect(comment().value).toBe('');
  expect(panel().queryByRole('radio', { checked: true })).toBeNull();
  await panel().findByRole('img');
  expect(takePicture).toHaveBeenCalledTimes(2);
});

test('12.21 browser and system are named in plain words', () => {
  const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  const iphone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Mobile Safari/604';
  expect([browserName(chrome), systemName(chrome)]).toEqual(['Chrome 140', 'Windows']);
  expect([browserName(`${chrome} Edg/141.0`), browserName(iphone), systemName(iphone)]).toEqual([
    'Edge 141',
    'Safari 18',
    'iOS',
  ]);
  expect([browserName('curl/8'), systemName('curl/8')]).toEqual(['unknown', 'unknown']);
  expect(circumstances().page).toBe('/user/join');
});

test('12.21 the version is that of the script that runs; in development there is none', () => {
  expect(circumstances().version).toBeNull();
  // As a part of a document a script is not fetched.
  document.head.insertAdjacentHTML('beforeend', '<script type="module" src="/assets/index-Ab3_9xYz.js"></script>');
  try {
    expect(circumstances().version).toBe('Ab3_9xYz');
  } finally {
    document.head.querySelector('script')?.remove();
  }
});
