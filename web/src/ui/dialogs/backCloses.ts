/**
 * The browser's back button closes what lies over a page: a dialog, a panel, a menu, the topmost first
 * (docs/product.md#11.63, docs/decisions/0023-back-closes-by-kept-entries.md). Each layer that opens adds an entry to
 * the history. When it is closed in another way, its entry stays. The next layer reuses the entry, another page
 * replaces it, and a step back skips it. So the history moves only when the person moves it. Routers never see these
 * entries.
 */
import { useLayoutEffect, useRef, useState } from 'react';

interface Layer {
  /** Returns false if it stays open. */
  close(): unknown;
  /** The layer stands for the page itself, and asks instead of closing. */
  asks: boolean;
}

/** What the state of an entry over a page holds besides the page's own state. */
interface Marks {
  /** The number of entries of the page beneath; undefined means 0. */
  over?: number;
  /** Identifies the page: the address and the state of its lowest entry. */
  under?: string;
}

interface Entry {
  href: string;
  state: Marks | null;
}

/** What is open, the topmost last. */
const layers: Layer[] = [];
/** The history that is followed, and the page's current entry. */
let watched: History | undefined;
let here: Entry;
/** Called after the step to the page's own entry. */
let afterStep: (() => void) | null = null;

const entry = (): Entry => ({ href: window.location.href, state: window.history.state as Marks | null });
const depthOf = ({ state }: Entry) => state?.over ?? 0;
const contentOf = ({ href, state }: Entry) => JSON.stringify([href, { ...state, over: undefined, under: undefined }]);
const pageOf = (at: Entry) => at.state?.under ?? contentOf(at);

/** Without the router, for which nothing changes. */
function addEntry(): void {
  const { history } = window;
  const at = entry();
  // The step back onto the current entry must not scroll the page: it was only covered.
  history.scrollRestoration = 'manual';
  History.prototype.pushState.call(history, { ...at.state, over: depthOf(at) + 1, under: pageOf(at) }, '');
  history.scrollRestoration = 'auto';
  here = entry();
}

/** Gives an entry to each open layer that has none. A browser may refuse one. */
function cover(): void {
  for (let missing = layers.length - depthOf(entry()); missing > 0; missing -= 1) addEntry();
}

/** If the page changed its address and state while a layer was open, the change also holds for the entry beneath. */
function keepContent(from: Entry, to: Entry): void {
  if (contentOf(from) === contentOf(to)) return;
  const { over, under } = to.state ?? {};
  History.prototype.replaceState.call(window.history, { ...from.state, over, under }, '', from.href);
  here = entry();
}

function closeDownTo(depth: number): void {
  // Removes what closes from the list.
  const closing = layers.slice(depth);
  for (let layer = closing.pop(); layer; layer = closing.pop()) {
    // Before it asks: the code that follows relies on the entry.
    if (layer.asks) cover();
    if (layer.close() === false) {
      cover();
      return;
    }
  }
}

function onStep(event: Event): void {
  const before = here;
  const now = entry();
  here = now;
  const from = depthOf(before);
  const to = depthOf(now);
  // To another page: leave it to the router or other listeners.
  if (from === to || pageOf(before) !== pageOf(now)) return;
  event.stopImmediatePropagation();
  // Browsers restore the entry's scroll position after they have announced the step.
  setTimeout(() => {
    window.history.scrollRestoration = 'auto';
  });
  if (afterStep) {
    const follow = afterStep;
    afterStep = null;
    follow();
  } else if (to > from) {
    // Nothing reopens: continue to the page that may follow.
    if (to > layers.length) window.history.go(1);
  } else {
    keepContent(before, now);
    if (to < layers.length) closeDownTo(to);
    else window.history.go(layers.length - to - 1);
  }
}

/** Begins to follow the history. Each document that opens layers calls it at start; later calls do nothing. */
export function watchHistory(): void {
  const { history } = window;
  if (watched === history) return;
  watched = history;
  here = entry();
  const push = history.pushState.bind(history);
  const replace = history.replaceState.bind(history);
  history.pushState = (state: unknown, unused, url) => {
    (depthOf(entry()) > 0 ? replace : push)(state, unused, url);
    here = entry();
  };
  history.replaceState = (state: unknown, unused, url) => {
    const { over, under } = entry().state ?? {};
    replace(over ? { ...(state as object | null), over, under } : state, unused, url);
    here = entry();
  };
  // Before the router and all others.
  window.addEventListener('popstate', onStep, { capture: true });
  // After a step back, and on another page, a new touch gives an entry to each layer that is still open.
  window.addEventListener('pointerdown', cover, { capture: true });
  window.addEventListener('keydown', cover, { capture: true });
}

function openLayer(layer: Layer): () => void {
  watchHistory();
  // The page's own question lies beneath every layer that is open at that time.
  if (layer.asks) layers.unshift(layer);
  else layers.push(layer);
  // Browsers skip the entries of a page that nobody has touched.
  if (navigator.userActivation?.hasBeenActive !== false) cover();
  return () => {
    layers.splice(layers.indexOf(layer), 1);
  };
}

/**
 * Makes a step back close a layer instead of leaving the page. `close` returns false if the layer must stay open; any
 * other result is ignored.
 */
export function useBackCloses(opened: boolean, close: () => unknown): void {
  const latest = useRef(close);
  latest.current = close;
  // Before it is visible: from then on somebody may step back.
  useLayoutEffect(() => (opened ? openLayer({ close: () => latest.current(), asks: false }) : undefined), [opened]);
}

/** For a menu or popover of the kit without its own state: keeps whether it is open. A step back closes it. */
export function useOpened(): { opened: boolean; onChange(opened: boolean): void } {
  const [opened, onChange] = useState(false);
  useBackCloses(opened, () => onChange(false));
  return { opened, onChange };
}

/**
 * Makes a step back ask before the page is left, once no layer lies over it. Takes the function that opens the
 * question, the same one at each call, and whether there is something to ask.
 */
export function useBackAsks(ask: () => void, asks = true): void {
  useLayoutEffect(() => (asks ? openLayer({ close: ask, asks: true }) : undefined), [ask, asks]);
}

/** Leaves for the previous page, or for the start page if there is none. Takes how many pages to go back. */
export function leaveBack(pages = 1): void {
  const steps = depthOf(entry()) + pages;
  if (window.history.length > steps) window.history.go(-steps);
  else window.location.assign('/');
}

/** Replaces this page by another document, so that the way back from there does not lead here. */
export function replacePage(address: string): void {
  const steps = depthOf(entry());
  if (steps === 0) {
    window.location.replace(address);
    return;
  }
  // This step is not asked about.
  afterStep = () => window.location.replace(address);
  window.history.go(-steps);
}
