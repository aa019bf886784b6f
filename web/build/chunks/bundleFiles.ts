/** Questions about the files of a bundle. */
import type { Rollup } from 'vite';

/** All chunks that run with one, including itself. */
export function closureOf(bundle: Rollup.OutputBundle, file: string): Rollup.OutputChunk[] {
  const files = new Set([file]);
  // Iterating over a set also visits what is added on the way.
  for (const each of files) {
    const chunk = bundle[each];
    if (chunk?.type === 'chunk') for (const imported of chunk.imports) files.add(imported);
  }
  return [...files].map((each) => bundle[each]).filter((chunk) => chunk?.type === 'chunk');
}

/** The style sheets that a chunk loads, by file name. */
export const styleSheets = (chunk: Rollup.OutputChunk): string[] => [...(chunk.viteMetadata?.importedCss ?? [])];
