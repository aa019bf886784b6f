// @vitest-environment happy-dom
import { runInNewContext } from 'node:vm';
import { beforeEach, expect, test } from 'vitest';
import script from '../../../public/outline.js?raw';

const WORDS = {
  en: {
    '/app/profile': ['Profile'],
    '/app/program': ['New event', 'Describe it.'],
    '/app/welcome': ['Help', 'Lead', 'Sessions', 'How?', 'Like <this>.'],
  },
  de: { '/app/profile': ['Profil'] },
};

beforeEach(() => {
  document.documentElement.lang = 'en';
  document.documentElement.setAttribute('data-outline', 'frame');
  document.body.innerHTML = '<div id="outline"><i class="menu"></i><i class="heading"></i><i class="card"></i></div>';
});

/** What the outline shows of a page. */
function outlineOf(pathname: string): string[] {
  const currentScript = document.createElement('script');
  currentScript.setAttribute('data-words', JSON.stringify(WORDS));
  const page = {
    documentElement: document.documentElement,
    currentScript,
    getElementById: (id: string) => document.getElementById(id),
    createElement: (name: string) => document.createElement(name),
  };
  runInNewContext(script, { document: page, location: { pathname } });
  return [...document.querySelectorAll('#outline i, #outline p')].map((part) =>
    `${part.className} ${part.textContent}`.trim(),
  );
}

test('11.66 the outline of a page shows its name in the language of the page', () => {
  document.documentElement.lang = 'de';
  expect(outlineOf('/app/profile/')).toEqual(['menu', 'card', 'name Profil']);
});

test('11.66 the outline of a page shows its purpose, above the card', () => {
  expect(outlineOf('/app/program')).toEqual(['menu', 'name New event', 'lead Describe it.', 'card']);
});

test('11.66 the outline of the help page shows how the help begins', () => {
  expect(outlineOf('/app/welcome')).toEqual([
    'menu',
    'name Help',
    'lead Lead',
    'group Sessions',
    'question How?',
    'answer Like <this>.',
  ]);
});

test.each([
  ['a page without words', '/app/dashboard', 'frame'],
  ['a page that somebody who is not signed in asks for', '/app/profile', 'account'],
])('the outline of %s has no added words', (_what, pathname, outline) => {
  document.documentElement.setAttribute('data-outline', outline);
  expect(outlineOf(pathname)).toEqual(['menu', 'heading', 'card']);
});
