/** What the server draws, and how the page's script takes it over. */
import { act, waitFor } from '@testing-library/react';
import type { Language } from '@fieldroom/contract/text';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import de from '../../../locales/de/booking.json';
import en from '../../../locales/en/booking.json';
import hu from '../../../locales/hu/booking.json';
import ro from '../../../locales/ro/booking.json';
import { data, event, heldView, hold, host, network, writePageData } from '../testing/publicPages.testing.ts';
import { recordEarlyClicks } from '../../../light/earlyClicks.ts';
import { drawPublicPage as draw } from './drawPublicPage.tsx';
import { keepHold } from '../sessionStorage.ts';
import type { PageData } from '../pageFromPath.ts';
import { hydratePage } from './hydrate.tsx';
import { showLanguage } from '../usePublicWords.ts';

const AT = '/event/anna/31';
const WORDS = { de, en, hu, ro };
const LANGUAGES = Object.keys(WORDS) as Language[];
const list: PageData = {
  kind: 'therapist',
  host,
  upcoming: {
    content: [event, { ...event, id: 32, dates: ['2026-12-19', '2026-12-20'] }],
    page: 0,
    size: 20,
    totalElements: 2,
  },
};
let root: HTMLElement;
let drawn: Root | null = null;

/** As the document arrives: the drawing in its place, the data after it. */
function arrive(language: Language, shown: PageData, path = AT): HTMLElement {
  window.history.replaceState(null, '', path);
  root.innerHTML = draw(path, language, shown);
  writePageData(shown);
  return root.querySelector('h1') as HTMLElement;
}
/** The script has arrived, and has repeated the early presses. */
async function woken(answer = () => {}): Promise<void> {
  const answered = Promise.withResolvers<void>();
  await act(async () => {
    drawn = hydratePage(root, () => {
      answer();
      answered.resolve();
    });
  });
  await act(() => answered.promise);
}

beforeEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
  document.body.replaceChildren();
  root = document.body.appendChild(Object.assign(document.createElement('div'), { id: 'root' }));
  vi.stubGlobal('scrollTo', () => {});
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  network({});
});
afterEach(async () => {
  await act(async () => drawn?.unmount());
  drawn = null;
  showLanguage('en');
  vi.unstubAllGlobals();
});

describe('the first drawing', () => {
  test.each(LANGUAGES)('has the page’s words in %s, and is taken over unchanged', async (language) => {
    const title = arrive(language, data());
    expect(title.textContent).toBe(event.eventName);
    expect(root.textContent).toContain(WORDS[language].card.book);
    showLanguage(language);
    await woken();
    expect(root.querySelector('h1')).toBe(title);
    expect(document.documentElement.lang).toBe(language);
  });

  test('of a therapist’s list of events is taken over as well', async () => {
    const title = arrive('en', list, '/event/anna');
    expect([...root.querySelectorAll('h3')].map(({ textContent }) => textContent)).toEqual([
      event.eventName,
      event.eventName,
    ]);
    await woken();
    expect(root.querySelector('h1')).toBe(title);
  });

  test.each(LANGUAGES)('11.73 has the therapist’s name in the order of %s', async (language) => {
    const title = arrive(language, list, '/event/anna');
    const names = [host.firstName, host.lastName];
    expect(title.textContent).toBe((language === 'hu' ? names.toReversed() : names).join(' '));
    showLanguage(language);
    await woken();
    expect(root.querySelector('h1')).toBe(title);
    expect(document.title).toContain(title.textContent);
  });

  test('of a missing event or therapist says so', () => {
    arrive('de', { kind: 'unknown' });
    expect(root.querySelector('h1')?.textContent).toBe(de.unknown.title);
  });

  test('does not depend on the viewer’s clock, which the script adds', async () => {
    const there = { ...event, timeZone: 'Pacific/Auckland' };
    arrive('en', data({ event: there }));
    expect(root.querySelector('aside li')?.textContent).not.toContain('your time');
    await woken();
    expect(root.querySelector('aside li')?.textContent).toContain('your time');
  });

  test('escapes a therapist’s words, and does not request the picture a second time', () => {
    const name = '</script><img src=x onerror=alert(1)>';
    arrive('en', data({ event: { ...event, eventName: name, description: name, files: ['one.webp'] } }));
    expect(root.querySelector('h1')?.textContent).toBe(name);
    expect(root.querySelectorAll('script, [onerror]')).toHaveLength(0);
    expect(root.firstElementChild?.tagName).toBe('DIV');
  });
});

describe('is rendered again', () => {
  test('if this browser’s language is not the one that it requests', async () => {
    arrive('en', data());
    showLanguage('hu');
    await woken();
    expect(root.textContent).toContain(hu.card.book);
    expect(root.textContent).not.toContain(en.card.book);
  });

  test('if this tab holds a place', async () => {
    keepHold({ ...hold, eventId: event.id, email: 'hanna@mail.example' });
    arrive('en', data());
    network({ 'POST /api/public/booking/hold': () => Response.json(heldView()) });
    await woken();
    await waitFor(() => expect(root.querySelector('h1')?.textContent).toBe(en.held.held.title));
  });
});

describe('presses before the page was ready', () => {
  test('are repeated as soon as the page is ready', async () => {
    arrive('en', data());
    const stop = recordEarlyClicks(root);
    const press = [...root.querySelectorAll('button')].find(({ textContent }) => textContent === en.card.book);
    press?.querySelector('svg')?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    press?.click();
    expect(document.querySelector('dialog')).toBeNull();
    await woken(stop());
    expect(document.querySelector('dialog h2')?.textContent).toBe(en.finalize.title);
  });

  test('include the language, and only the last choice counts', async () => {
    arrive('en', data());
    const stop = recordEarlyClicks(root);
    root.querySelector<HTMLElement>('aside button')?.click();
    const choice = root.querySelector('select') as HTMLSelectElement;
    choice.value = 'ro';
    choice.dispatchEvent(new Event('change', { bubbles: true }));
    await woken(stop());
    expect(root.textContent).toContain(ro.card.book);
    expect(document.querySelector('dialog')).toBeNull();
  });

  test('are dropped if the page was rendered again, and recording stops', async () => {
    arrive('en', data());
    const stop = recordEarlyClicks(root);
    root.querySelector<HTMLElement>('aside button')?.click();
    showLanguage('de');
    await woken(stop());
    expect(document.querySelector('dialog')).toBeNull();
  });
});
