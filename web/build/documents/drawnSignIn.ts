/**
 * Writes a document for each language in which the sign-in page is drawn already: a phone on a weak connection shows
 * the form seconds before the app's scripts have run (docs/product.md#11.69). The server answers `/user/login` with
 * them.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Language, LANGUAGES } from '@fieldroom/contract/text';
import type { Plugin } from 'vite';
import { buildForNode } from '../buildForNode.ts';
import { withoutOutlineWords } from './outlineWords.ts';
import { atOnce } from './paintFirst.ts';

const WEB = path.resolve(import.meta.dirname, '../..');
/** The exports of `drawSignIn.tsx`. */
type Draw = (language: Language) => Promise<Drawn[Language]>;
/** The drawing comes before what an app's document shows otherwise. */
const OUTLINE = '<div id="outline"';
const SCRIPTS = '<script type="module"';
const STYLE = /<link rel="stylesheet"[^>]*>/g;

/** Builds the drawing program for Node and loads it. */
async function loadDrawing(): Promise<Draw> {
  const outDir = await mkdtemp(path.join(tmpdir(), 'fieldroom-draw-'));
  try {
    await buildForNode('src/features/accounts/signIn/drawSignIn.tsx', outDir);
    const { drawSignIn } = (await import(pathToFileURL(path.join(outDir, 'drawSignIn.mjs')).href)) as {
      drawSignIn: Draw;
    };
    return drawSignIn;
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

type Drawn = Record<Language, { markup: string; title: string }>;

/**
 * Takes the app's document, the drawing, and the language to show. Returns the document of the sign-in page. It holds
 * the other languages too, for a browser in which somebody has chosen one; compressed, each is 400 bytes.
 */
export function drawnDocument(document: string, drawn: Drawn, language: Language): string {
  const early = '/earlySignIn.js';
  // The drawing has the kit's styles and the words in their font.
  const app = withoutOutlineWords(atOnce(document));
  const own = (/data-account="([^"]*)"/.exec(app)?.[1]?.split(' ') ?? [])
    .filter((file) => file.endsWith('.css'))
    .map((file) => `<link rel="stylesheet" crossorigin href="/assets/${file}">`);
  if (own.length === 0 || !app.includes(OUTLINE) || !app.includes(SCRIPTS))
    throw new Error('the document of the app is not as expected');
  const others = LANGUAGES.filter((other) => other !== language).map(
    (other) => `<template lang="${other}" title="${titleOf(drawn[other])}">${drawn[other].markup}</template>`,
  );
  const parts = [
    `<div id="drawn" lang="${language}" hidden>${drawn[language].markup}</div>`,
    ...others,
    `<script src="${early}"></script>`,
  ];
  // What the form waits for is requested first: a phone fetches six files at a time.
  const first = [`<link rel="preload" as="script" href="${early}">`, ...(app.match(STYLE) ?? []), ...own];
  return (
    app
      .replace(/<html lang="[^"]*"/, `<html lang="${language}"`)
      .replace(/<title>[^<]*/, () => `<title>${titleOf(drawn[language])}`)
      // This page never has the frame, and never shows another page.
      .replace(/ data-(?:frame|page-(?!user-login\b))[\w-]*="[^"]*"/g, '')
      .replace(STYLE, '')
      .replace(SCRIPTS, () => `${first.join('')}${SCRIPTS}`)
      .replace(OUTLINE, () => `${parts.join('')}${OUTLINE}`)
  );
}

const titleOf = ({ title }: { title: string }) => `${title} · Fieldroom`;

export const drawnSignIn: Plugin = {
  name: 'fieldroom-drawn-sign-in',
  apply: 'build',
  async closeBundle() {
    const folder = path.join(WEB, 'dist');
    const [draw, app] = await Promise.all([loadDrawing(), readFile(path.join(folder, 'index.html'), 'utf8')]);
    const drawn = Object.fromEntries(
      await Promise.all(LANGUAGES.map(async (language) => [language, await draw(language)])),
    ) as Drawn;
    for (const language of LANGUAGES)
      await writeFile(path.join(folder, `signIn.${language}.html`), drawnDocument(app, drawn, language));
  },
};
