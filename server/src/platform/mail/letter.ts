/**
 * How a letter looks: one calm column in the product's colours, made of tables and inline styles, for that is what mail
 * programs read; and the same words as plain text. All words are text, never markup: React escapes them.
 */
import type { Language } from '@fieldroom/contract/text';
import { createElement as h } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

export interface LetterContent {
  readonly language: Language;
  /** The heading; usually the subject. */
  readonly title: string;
  readonly greeting: string;
  /** Before the button. */
  readonly paragraphs: readonly string[];
  readonly button?: { readonly label: string; readonly url: string };
  /** After the button. */
  readonly after?: readonly string[];
  /** Closing lines and who writes. */
  readonly footer: string | readonly string[];
}

const ACCENT = '#15579C';
const PAPER = '#F8F7F3';
const INK = '#22272B';
const QUIET = '#5A6066';
const FONT = "Figtree, 'Helvetica Neue', Helvetica, Arial, sans-serif";

const bare = { role: 'presentation', cellPadding: 0, cellSpacing: 0, border: 0 } as const;

function table(style: CSSProperties, cell: CSSProperties, ...children: ReactNode[]): ReactNode {
  return h('table', { ...bare, width: '100%', style }, h('tbody', null, h('tr', null, h('td', { style: cell }, ...children))));
}

function paragraph(text: string, key: string | number, style: CSSProperties = {}): ReactNode {
  return h('p', { key, style: { margin: '0 0 16px', fontSize: '16px', lineHeight: '25px', color: INK, ...style } }, text);
}

/** A button as a padded cell: programs that ignore padding on links still show a field of that size. */
function button({ label, url }: { label: string; url: string }): ReactNode {
  return h(
    'table',
    { ...bare, style: { margin: '8px 0 24px' } },
    h('tbody', null, h('tr', null, h('td', { style: { background: ACCENT, borderRadius: '8px' } },
      h('a', { href: url, target: '_blank', rel: 'noreferrer', style: { display: 'inline-block', padding: '13px 24px', fontSize: '16px', lineHeight: '22px', fontWeight: 600, color: '#FFFFFF', textDecoration: 'none', fontFamily: FONT } }, label)))),
  );
}

const lines = (text: string | readonly string[]) => (typeof text === 'string' ? [text] : text);

/** Makes a letter. In: its words, already in the right language; a button's address has to be http(s). Out: both forms. */
export function renderLetter({ language, title, greeting, paragraphs, button: link, after = [], footer }: LetterContent): { html: string; text: string } {
  if (link && !/^https?:\/\//.test(link.url)) throw new Error('a letter links to web addresses only');
  const page = h(
    'html',
    { lang: language },
    h('head', null,
      h('meta', { httpEquiv: 'Content-Type', content: 'text/html; charset=utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { name: 'color-scheme', content: 'light' }),
      h('title', null, title)),
    h('body', { style: { margin: 0, padding: 0, background: PAPER, fontFamily: FONT } },
      table({ background: PAPER }, { padding: '32px 16px' },
        h('table', { ...bare, width: '100%', align: 'center', style: { maxWidth: '560px', margin: '0 auto' } }, h('tbody', null,
          h('tr', null, h('td', { style: { background: '#FFFFFF', border: '1px solid #E4E1D8', borderRadius: '12px', padding: '32px', fontFamily: FONT } },
            h('h1', { style: { margin: '0 0 20px', fontSize: '22px', lineHeight: '30px', fontWeight: 600, color: INK } }, title),
            paragraph(greeting, 'greeting'),
            paragraphs.map((text, index) => paragraph(text, index)),
            link ? button(link) : null,
            link ? paragraph(link.url, 'address', { fontSize: '13px', lineHeight: '20px', color: QUIET, wordBreak: 'break-all' }) : null,
            after.map((text, index) => paragraph(text, `after ${index}`)))),
          h('tr', null, h('td', { style: { padding: '20px 32px 0', fontFamily: FONT } },
            lines(footer).map((text, index) => paragraph(text, index, { margin: '0 0 4px', fontSize: '14px', lineHeight: '21px', color: QUIET })))))))),
  );
  const text = [title, greeting, ...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), ...after, lines(footer).join('\n')].join('\n\n');
  return { html: `<!DOCTYPE html>${renderToStaticMarkup(page)}`, text: `${text}\n` };
}
