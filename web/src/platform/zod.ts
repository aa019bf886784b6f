/**
 * What `import … from 'zod'` means in the browser (vite.config.ts puts this in its place): zod without its probe for
 * `new Function`, which the content security policy would report. It has to run before the first schema is made.
 */
import { z } from 'zod';

z.config({ jitless: true });

export * from 'zod';
