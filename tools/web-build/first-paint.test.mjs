/** What the app's document requests, and in which order: its first paint waits for what it shows and no more. */
import { expect, test } from 'vitest';
import { drawnDocument } from '../../web/build/documents/drawnSignIn.ts';
import { paintFirst } from '../../web/build/documents/paintFirst.ts';

/** In the bundler's form. */
const BUILT = `<!doctype html>
<html lang="en" data-palette="blueyale">
  <head>
    <title>Fieldroom</title>
    <script src="/theme.js" data-frame="f.js" data-account="a.js a.css"
      data-page-app-help="h.js" data-page-app-help-de="d.js" data-page-user-login="l.js"></script>
    <script type="module" crossorigin src="/assets/app.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/react.js">
    <link rel="stylesheet" crossorigin href="/assets/ground.css">
    <link rel="stylesheet" crossorigin href="/assets/kit.css">
    <link rel="stylesheet" crossorigin href="/assets/outline.css">
    <link rel="preload" as="font" type="font/woff2" href="/assets/figtree.woff2" crossorigin>
  </head>
  <body>
    <div id="root"></div>
    <div id="outline" aria-hidden="true"></div>
    <script src="/outline.js" data-words='{"en":{"/app/help":["Don&#39;t panic"]}}'></script>
  </body>
</html>
`;
const ORDERED = paintFirst(BUILT, new Set(['assets/ground.css', 'assets/outline.css']));

/**
 * The requests of a document, in order: the beginning of each tag, and the file.
 * @param {string} html
 */
const asked = (html) =>
  [...html.matchAll(/<(?:link|script)\b[^>]*(?:href|src)="[^"]*\/([^"]*)"[^>]*>/g)].map(([tag, file]) => [
    file,
    tag.includes('fetchpriority="low"') ? 'low' : 'at once',
  ]);

test('styles of the first paint come before the scripts, the others after the content; scripts get a low priority', () => {
  const [head = '', body = ''] = ORDERED.split('</head>');
  expect(asked(head)).toEqual([
    ['theme.js', 'at once'],
    ['ground.css', 'at once'],
    ['outline.css', 'at once'],
    ['app.js', 'low'],
    ['react.js', 'low'],
    ['figtree.woff2', 'low'],
  ]);
  expect(asked(body)).toEqual([
    ['outline.js', 'at once'],
    ['kit.css', 'low'],
  ]);
  expect(body.indexOf('kit.css')).toBeGreaterThan(body.indexOf('id="outline"'));
});

test('the build fails if the styles of the first paint are not found in a document', () => {
  expect(() => paintFirst(BUILT, new Set(['assets/other.css']))).toThrow('not as expected');
});

test('the drawn sign-in page has all of its styles before its scripts, and no list of other pages', () => {
  const word = { markup: '<form></form>', title: 'Sign in' };
  const html = drawnDocument(ORDERED, { en: word, de: word, hu: word, ro: word }, 'de');
  const [head = '', body = ''] = html.split('</head>');
  expect(asked(head)).toEqual([
    ['theme.js', 'at once'],
    ['earlySignIn.js', 'at once'],
    ['ground.css', 'at once'],
    ['outline.css', 'at once'],
    ['kit.css', 'at once'],
    ['a.css', 'at once'],
    ['app.js', 'low'],
    ['react.js', 'low'],
    ['figtree.woff2', 'at once'],
  ]);
  expect(asked(body)).toEqual([['earlySignIn.js', 'at once']]);
  expect(html).not.toMatch(/data-(?:page-app|frame|words)/);
  expect(html).toContain('data-account="a.js a.css"');
  expect(html).toContain('data-page-user-login="l.js"');
});
