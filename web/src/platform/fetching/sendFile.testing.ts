/**
 * The browser's XMLHttpRequest in tests: what it sends goes to the stubbed `fetch`, so that one stubbed network answers
 * everything.
 */
import { vi } from 'vitest';

/** Half of the file has been sent; a test stays at this point with a fetch that does not answer. */
const HALF = { lengthComputable: true, loaded: 50, total: 100 };

/** `fetch` is looked up at the moment of sending. Undone by `vi.unstubAllGlobals()`. */
export function stubUploads(): void {
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      readonly upload: { onprogress: ((told: typeof HALF) => void) | null } = { onprogress: null };
      onload: (() => void) | null = null;
      onerror: (() => void) | null = null;
      onabort: (() => void) | null = null;
      status = 0;
      responseText = '';
      #asked = { method: '', address: '' };
      #headers: Record<string, string> = {};
      #answer: Headers | null = null;
      #over = false;
      open(method: string, address: string) {
        this.#asked = { method, address };
      }
      setRequestHeader(name: string, value: string) {
        this.#headers[name] = value;
      }
      getResponseHeader(name: string) {
        return this.#answer?.get(name) ?? null;
      }
      abort() {
        if (this.#over) return;
        this.#over = true;
        this.onabort?.();
      }
      send(body: FormData) {
        this.upload.onprogress?.(HALF);
        void (async () => {
          try {
            const answer = await fetch(this.#asked.address, {
              method: this.#asked.method,
              headers: this.#headers,
              body,
            });
            this.responseText = await answer.text();
            this.status = answer.status;
            this.#answer = answer.headers;
          } catch {
            if (!this.#over) this.onerror?.();
            return;
          }
          if (this.#over) return;
          this.#over = true;
          this.upload.onprogress?.({ ...HALF, loaded: HALF.total });
          this.onload?.();
        })();
      }
    },
  );
}
