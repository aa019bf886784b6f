/** Tables as files for spreadsheets (RFC 4180). */

/**
 * One cell. An apostrophe turns anything that a spreadsheet would take for a formula into text (OWASP, CSV injection),
 * because names and addresses come from strangers.
 */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^[+\d\s()./-]+$/.test(text) ? `'${text}` : text;
  // A spreadsheet may split cells at other separators than this file's: then `x,=1+1` would become a cell with a
  // formula.
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * A table as text. Takes rows of cells, the headings first, and the separator that the reader's spreadsheet expects.
 * Returns CSV with a byte order mark, so that ő and ș survive.
 */
export function csvText(rows: readonly (readonly string[])[], separator = ','): string {
  return `\uFEFF${rows.map((row) => row.map(cell).join(separator)).join('\r\n')}\r\n`;
}

/** Where decimals are written with a comma, spreadsheets separate cells with a semicolon. */
export const csvSeparator = (language: string): string => (language === 'en' ? ',' : ';');
