/** Attacks on the icons, and drawings from drawing programs. Numbers are the rules of README.md. */
import { describe, expect, test } from 'vitest';
import { ICON_BYTES_MAX } from '@fieldroom/contract/field';
import { cleanIcon } from './icons.clean.ts';
import { cleanInWorker } from './icons.service.ts';

const SHAPE = '<path d="M0 0h10v10z"/>';
const svg = (inside: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10" ${attributes}>${inside}</svg>`;
const kind = (text: string) => cleanIcon(text).kind;
function clean(text: string) {
  const cleaned = cleanIcon(text);
  if (cleaned.kind !== 'clean') throw new Error(`expected a clean icon: ${cleaned.kind}`);
  return cleaned;
}

describe('31 refused as unsafe', () => {
  test.each<[string, string]>([
    ['script', svg(`${SHAPE}<script>alert(1)</script>`)],
    [
      'script with a prefix',
      `<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:path d="M0 0h1"/><s:script>alert(1)</s:script></s:svg>`,
    ],
    ['script of XHTML', svg(`${SHAPE}<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>`)],
    ['script within style', svg(`${SHAPE}<style><script>alert(1)</script></style>`)],
    ['SCRIPT in capitals', svg(`${SHAPE}<SCRIPT>alert(1)</SCRIPT>`)],
    ['event handler on the root', svg(SHAPE, 'onload="alert(1)"')],
    ['event handler on a shape', svg('<path d="M0 0h1" onclick="alert(1)"/>')],
    ['event handler in capitals', svg('<path d="M0 0h1" ONMOUSEOVER="alert(1)"/>')],
    ['foreignObject', svg(`${SHAPE}<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>`)],
    ['iframe of XHTML', svg(`${SHAPE}<iframe xmlns="http://www.w3.org/1999/xhtml" src="x"/>`)],
    ['link', svg(`<a href="#x">${SHAPE}</a>`)],
    ['javascript in a link', svg(`<a xlink:href="javascript:alert(1)">${SHAPE}</a>`)],
    ['outside image', svg(`${SHAPE}<image href="https://example.org/a.png"/>`)],
    ['image as data', svg(`${SHAPE}<image href="data:image/png;base64,AAAA"/>`)],
    ['feImage', svg(`${SHAPE}<filter id="f"><feImage href="#x"/></filter>`)],
    ['use from outside', svg(`${SHAPE}<use href="https://example.org/a.svg#x"/>`)],
    ['use from outside by xlink', svg(`${SHAPE}<use xlink:href="//example.org/a.svg#x"/>`)],
    [
      'use with another prefix',
      svg(`${SHAPE}<use z:href="data:image/svg+xml,x#x" xmlns:z="http://www.w3.org/1999/xlink"/>`),
    ],
    ['use of data', svg(`${SHAPE}<use href="data:image/svg+xml;base64,AAAA#x"/>`)],
    ['animate', svg(`<path d="M0 0h1"><animate attributeName="href" values="javascript:alert(1)"/></path>`)],
    ['set', svg(`<path d="M0 0h1"><set attributeName="onclick" to="alert(1)"/></path>`)],
    ['outside fill', svg('<path d="M0 0h1" fill="url(https://example.org/a.svg#b)"/>')],
    ['outside fill in quotes', svg(`<path d="M0 0h1" fill="url('https://example.org/a.svg#b')"/>`)],
    ['outside fill after an own one', svg('<path d="M0 0h1" style="fill:url(#a);mask:url(//x.example/m)"/>')],
    ['outside filter', svg('<path d="M0 0h1" filter="url(//example.org/f#f)"/>')],
    [
      'more attributes than any drawing has',
      svg(`<path d="M0 0h1" ${Array.from({ length: 200 }, (_, i) => `a${i}="1"`).join(' ')}/>`),
    ],
    ['unclosed url before blanks', svg(`<path d="M0 0h1" fill="url(${' '.repeat(1000)}"/>`)],
    ['url in an own one', svg('<path d="M0 0h1" fill="url(#a url(//x.example/m))"/>')],
    ['url in half a pair of quotes', svg(`<path d="M0 0h1" fill="url('#a)"/>`)],
    ['unclosed url', svg('<path d="M0 0h1" fill="url(https://example.org/"/>')],
    ['spelled url', svg(String.raw`<path d="M0 0h1" fill="\75rl(https://example.org/a)"/>`)],
    ['style with url', svg(`${SHAPE}<style>path{fill:url(https://example.org/x)}</style>`)],
    ['style with import', svg(`${SHAPE}<style>@import "https://example.org/x.css";</style>`)],
    ['style with import in CDATA', svg(`${SHAPE}<style><![CDATA[@import url(https://example.org/x.css);]]></style>`)],
    ['style with spelled import', svg(String.raw`${SHAPE}<style>@\69mport "https://example.org/x.css";</style>`)],
    ['style with font', svg(`${SHAPE}<style>@font-face{font-family:x;src:local(x)}</style>`)],
    ['style with image-set', svg(`${SHAPE}<style>path{mask:image-set("https://example.org/a.png" 1x)}</style>`)],
    ['style attribute with src()', svg('<path d="M0 0h1" style="fill:src(&quot;https://example.org/a&quot;)"/>')],
    ['style sheet beside it', `<?xml-stylesheet href="https://example.org/x.css"?>${svg(SHAPE)}`],
    ['instruction within', svg(`${SHAPE}<?php echo 1 ?>`)],
    ['base', svg(SHAPE, 'xml:base="https://example.org/"')],
    [
      'doctype from outside',
      `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg(SHAPE)}`,
    ],
    [
      'entity from a file',
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg(`${SHAPE}<text>&x;</text>`)}`,
    ],
    [
      'entity bomb',
      `<!DOCTYPE s [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>${svg(`${SHAPE}<text>&b;</text>`)}`,
    ],
    [
      'uses of uses',
      svg(
        `<defs><path id="u0" d="M0 0h1"/>${Array.from({ length: 12 }, (_, i) => `<g id="u${i + 1}">${`<use href="#u${i}"/>`.repeat(10)}</g>`).join('')}</defs><use href="#u12"/>`,
      ),
    ],
    [
      'a shape of another namespace with a handler, beside XHTML',
      svg(`${SHAPE}<path xmlns="urn:x" onclick="alert(1)"><b xmlns="http://www.w3.org/1999/xhtml"/></path>`),
    ],
    ['use of itself', svg(`<g id="g">${SHAPE}<use href="#g"/></g>`)],
    [
      'patterns of patterns',
      svg(
        `<defs><path id="p0" d="M0 0h1"/>${Array.from({ length: 12 }, (_, i) => `<pattern id="p${i + 1}">${`<rect width="1" height="1" fill="url(#p${i})"/>`.repeat(10)}</pattern>`).join('')}</defs><rect width="9" height="9" fill="url(#p12)"/>`,
      ),
    ],
    [
      'pattern from a style sheet',
      svg(`<style>rect{fill:url(#p)}</style><pattern id="p">${SHAPE}</pattern><rect width="9" height="9"/>`),
    ],
    ['too deep', svg(`${'<g>'.repeat(65)}${SHAPE}${'</g>'.repeat(65)}`)],
    ['very deep', svg(`${'<g>'.repeat(20_000)}${SHAPE}${'</g>'.repeat(20_000)}`)],
    ['too many elements', svg('<path d="M0 0h1"/>'.repeat(5001))],
    ['too large', svg(`<path d="${'M0 0h1'.repeat(ICON_BYTES_MAX / 6)}"/>`)],
  ])('%s', (_name, text) => {
    expect(kind(text)).toBe('icon_unsafe');
  });
});

describe('32 refused as unreadable', () => {
  test.each<[string, string]>([
    ['nothing', '   '],
    ['text', 'just words'],
    ['HTML', '<html><body>x</body></html>'],
    ['another namespace', `<svg viewBox="0 0 1 1">${SHAPE}</svg>`],
    ['not closed', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1"/>'],
    ['crossed', svg('<g><path d="M0 0h1"></g></path>')],
    ['unknown entity', svg(`${SHAPE}<text>&nbsp;</text>`)],
    ['open comment', `<svg xmlns="http://www.w3.org/2000/svg"><!-- ${SHAPE}</svg>`],
    ['nothing drawn', svg('<title>x</title>')],
    ['only in the store', svg(`<defs>${SHAPE}</defs>`)],
    ['empty text', svg('<text>  </text>')],
  ])('%s', (_name, text) => {
    expect(kind(text)).toBe('icon_unreadable');
  });
});

describe('33 kept', () => {
  test('a drawing with gradient, clip, mask, filter, symbol, use and a style sheet stays complete', () => {
    const source =
      svg(`<defs><linearGradient id="a" gradientUnits="userSpaceOnUse"><stop offset="0" stop-color="#123456"/></linearGradient><clipPath id="c"><rect width="5" height="5"/></clipPath>
      <mask id="m"><rect width="9" height="9" fill="white"/></mask><filter id="f"><feGaussianBlur stdDeviation="1"/></filter><symbol id="s"><circle r="2"/></symbol></defs>
      <style>.k{fill:url(#a)}</style><path class="k" d="M0 0h1" clip-path="url(#c)" mask="url('#m')"/><use xlink:href="#s" filter="url(#f)"/><text x="1">Áé</text>`);
    const { svg: kept } = clean(source);
    for (const part of [
      'linearGradient',
      'stop-color="#123456"',
      'clip-path="url(#c)"',
      `mask="url('#m')"`,
      'feGaussianBlur',
      '<symbol',
      ':href="#s"',
      '.k{fill:url(#a)}',
      'Áé',
    ])
      expect(kept).toContain(part);
  });

  test('data only for drawing programs is removed silently', () => {
    const { svg: kept } = clean(`<?xml version="1.0" encoding="UTF-8"?>
      <!-- Created with a program -->
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://www.inkscape.org/namespaces/inkscape" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" i:version="1.3" viewBox="0 0 9 9" data-name="layer" role="img">
      <metadata><rdf:RDF><rdf:Description about="C:\\Users"/></rdf:RDF></metadata><i:namedview i:zoom="2"/>${SHAPE}</svg>`);
    for (const part of ['inkscape', 'rdf', 'RDF', 'metadata', 'Created', 'data-name', 'namedview', 'Users', '<?xml'])
      expect(kept).not.toContain(part);
    expect(kept).toContain('M0 0h10v10z');
  });

  test('cleaning a clean drawing changes nothing', () => {
    const once = clean(svg(`${SHAPE}<g transform="scale(2)"><circle r="3" fill="red"/></g>`)).svg;
    expect(clean(once).svg).toBe(once);
  });
});

describe('34 size', () => {
  const size = (attributes: string, box = 'viewBox="0 0 20 10"') => {
    const {
      width,
      height,
      svg: kept,
    } = clean(`<svg xmlns="http://www.w3.org/2000/svg" ${box} ${attributes}>${SHAPE}</svg>`);
    expect(kept).toContain(`width="${width}"`);
    expect(kept).toContain(`height="${height}"`);
    return [width, height, /viewBox="([^"]*)"/.exec(kept)![1]];
  };
  test('is 30×30 px by default', () => {
    expect(size('')).toEqual([30, 30, '0 0 20 10']);
    expect(size('width="400" height="200px"')).toEqual([30, 30, '0 0 20 10']);
    expect(size('width="100%" height="100%"')).toEqual([30, 30, '0 0 20 10']);
    expect(size('width="400" height="200"', '')).toEqual([30, 30, '0 0 400 200']);
    expect(size('', '')).toEqual([30, 30, '0 0 300 150']);
  });
  test('can be given in mm: 1 mm is 3.7795 px, within a 50-px box, in proportion', () => {
    expect(size('width="10mm" height="5mm"')).toEqual([37.8, 18.9, '0 0 20 10']);
    expect(size('width="100mm" height="50 mm"')).toEqual([50, 25, '0 0 20 10']);
    expect(size('width="50mm" height="100mm"')).toEqual([25, 50, '0 0 20 10']);
    expect(size('width="10mm" height="20"')).toEqual([30, 30, '0 0 20 10']);
    expect(size('width="20mm" height="10mm"', '')[2]).toBe('0 0 75.59 37.8');
  });
});

test('35 thousands of gradients, each with a reference, cost no more than the worker’s limit', async () => {
  const many = Array.from({ length: 1650 }, (_, index) => index);
  const gradients = many.map((index) => `<linearGradient id="g${index}"/>`).join('');
  // Looking up ids by reading the whole drawing took seconds for this many.
  const shapes = many.map((index) => `<path d="M0 0h1" fill="url(#g${index})"/>`).join('');
  expect((await cleanInWorker(svg(gradients + shapes))).kind).toBe('clean');
});

test('35 a worker cleans, and is stopped if it takes too much processor time', async () => {
  expect(await cleanInWorker(svg(SHAPE))).toEqual(cleanIcon(svg(SHAPE)));
  const endless = "require('node:worker_threads').parentPort.postMessage('ready'); for (;;);";
  const program = new URL(
    `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module'; const require = createRequire('file:///'); ${endless}`)}`,
  );
  expect(await cleanInWorker(svg(SHAPE), 300, program)).toEqual({ kind: 'icon_unsafe' });
});
