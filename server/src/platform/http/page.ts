/** Small pages that the server writes itself: no script, and one style block that the policy names by its hash. */
import { createHash } from 'node:crypto';

const BASE_STYLE = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem;background:#f8f7f3;color:#22272b}
a{color:#15579c;overflow-wrap:anywhere}
h1{font-size:1.5rem}
@media (prefers-color-scheme:dark){body{background:#17191b;color:#e8e6e0}a{color:#8fc1f5}li,details{background:#1f2225!important;border-color:#33373b!important}}
`;

/** Writes a text so that it stays text in HTML, also inside an attribute. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** JSON that cannot end the script element around it, begin a comment there, or break a line of a script. */
export const scriptJson = (data: unknown): string =>
  JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * Makes a page. Takes the title as text, body and style as they are (the caller escapes), and whether its forms may
 * send to us and our files may run. Returns the page and its Content-Security-Policy.
 */
export function createPage({
  title,
  body,
  style = '',
  forms = false,
  scripts = false,
}: {
  title: string;
  body: string;
  style?: string;
  forms?: boolean;
  scripts?: boolean;
}): { html: string; policy: string } {
  const styles = BASE_STYLE + style;
  const hash = createHash('sha256').update(styles).digest('base64');
  return {
    html: `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${styles}</style></head><body>${body}</body></html>`,
    policy: `default-src 'none'; style-src 'sha256-${hash}';${scripts ? " script-src 'self'; require-trusted-types-for 'script';" : ''} base-uri 'none'; form-action ${forms ? "'self'" : "'none'"}; frame-ancestors 'none'`,
  };
}
