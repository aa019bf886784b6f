/**
 * The look that a person chose: scheme, palette, radius. Lives on attributes of the root element, so that a change
 * shows at once, without a reload (docs/product.md#11.2), and is kept in local storage.
 */
import type { Palette } from '@fieldroom/contract/colours/palettes';
import { useSyncExternalStore } from 'react';
import { isTheme, parseTheme, type Radius, type Scheme } from './palettes.ts';

export interface Appearance {
  scheme: Scheme;
  palette: Palette;
  radius: Radius;
}

const listeners = new Set<() => void>();
let shown: Appearance | null = null;
/** What the system shows; null if it cannot be queried. */
const systemDark = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : null;
const systemScheme = (): Scheme => (systemDark?.matches ? 'dark' : 'light');
/** Nobody has chosen yet: light or dark follows the system. */
let followsSystem = false;

function fromRoot(): Appearance {
  const root = document.documentElement;
  const { scheme, palette } = parseTheme(
    `${root.getAttribute('data-mantine-color-scheme')}.${root.getAttribute('data-palette')}`,
  );
  return { scheme, palette, radius: root.getAttribute('data-radius') === 'flat' ? 'flat' : 'rounded' };
}

/** What is shown now. */
export function getAppearance(): Appearance {
  shown ??= fromRoot();
  return shown;
}

function show(next: Appearance): void {
  const root = document.documentElement;
  root.setAttribute('data-mantine-color-scheme', next.scheme);
  root.setAttribute('data-palette', next.palette);
  root.setAttribute('data-radius', next.radius);
  document.body.classList.toggle('rounded', next.radius === 'rounded');
  shown = next;
  for (const listener of listeners) listener();
}

/**
 * Shows and stores a choice; anything not named stays. After choosing a scheme or a palette, the page no longer follows
 * the system. If storage is blocked, the choice holds until the page is left.
 */
export function setAppearance(change: Partial<Appearance>): void {
  const next = { ...getAppearance(), ...change };
  if (change.scheme !== undefined || change.palette !== undefined) followsSystem = false;
  show(next);
  try {
    if (!followsSystem) localStorage.setItem('theme', `${next.scheme}.${next.palette}`);
    localStorage.setItem('radius', next.radius);
  } catch {
    // Blocked or full storage must not keep anybody from switching the light off.
  }
}

/** Calls back on each change, also on one made in another tab. Returns a function that stops. */
export function onAppearance(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What the server renders, which knows no choice: the starting point of theme.js. */
const unknown: Appearance = { ...parseTheme(null), radius: 'rounded' };

/** The current appearance, for a component, which renders again with each change. On the server it is the default
 * appearance. */
export function useAppearance(): Appearance {
  return useSyncExternalStore(onAppearance, getAppearance, () => unknown);
}

function storedTheme(): string | null {
  try {
    return localStorage.getItem('theme');
  } catch {
    return null;
  }
}

if (typeof window !== 'undefined') {
  followsSystem = !isTheme(storedTheme());
  show(getAppearance());
  systemDark?.addEventListener('change', () => {
    if (followsSystem) show({ ...getAppearance(), scheme: systemScheme() });
  });
  window.addEventListener('storage', ({ key, newValue }) => {
    const now = getAppearance();
    if (key === 'theme') {
      followsSystem = !isTheme(newValue);
      show({ ...now, ...parseTheme(newValue, systemScheme()) });
    }
    if (key === 'radius') show({ ...now, radius: newValue === 'flat' ? 'flat' : 'rounded' });
  });
}
