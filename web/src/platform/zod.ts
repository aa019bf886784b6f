/** Imported before anything that parses: zod's probe for `new Function` would be reported by the content security policy. */
import { z } from 'zod';

z.config({ jitless: true });
