/** A browser's tab on the public pages, for tests with a server: it draws them from that server's answers. */
import { Window } from 'happy-dom';
import { createElement } from 'react';
import type { KeptHold } from '../sessionStorage.ts';

export interface Tab {
  /** Opens an address as a new document. Takes the path with its fragment. */
  open(path: string): Promise<void>;
  /** The hold in this tab's session storage; null forgets it. */
  remember(hold: KeptHold | null): void;
  heading(): string;
  text(): string;
  /** Labels of the buttons that can be pressed. */
  buttons(): string[];
  links(): string[];
  close(): Promise<void>;
}

/** Takes the server's address. Sets the globals of a browser, for the whole process. */
export async function openTab(server: string): Promise<Tab> {
  const window = new Window({ url: server, width: 1024, height: 768 });
  const throughNode = globalThis.fetch;
  const given: Record<string, unknown> = {
    window,
    document: window.document,
    navigator: window.navigator,
    HTMLElement: window.HTMLElement,
    Node: window.Node,
    // In a browser the path alone is enough.
    fetch: (address: string | URL, init?: RequestInit) => throughNode(new URL(address, server), init),
  };
  for (const [name, value] of Object.entries(given))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  // Modules that read globals when they are loaded find the window from here on.
  const { createRoot } = await import('react-dom/client');
  const { PublicArea } = await import('../PublicArea.tsx');
  const { forgetHold, keepHold } = await import('../sessionStorage.ts');

  const { document } = window;
  let close = () => {};
  const words = (selector: string) =>
    [...document.querySelectorAll(selector)].map(({ textContent }) => (textContent ?? '').trim());
  return {
    async open(path) {
      close();
      window.happyDOM.setURL(new URL(path, server).href);
      document.body.innerHTML = '<div id="root"></div>';
      const root = createRoot(document.getElementById('root') as unknown as Element);
      root.render(createElement(PublicArea));
      close = () => root.unmount();
    },
    remember: (hold) => (hold === null ? forgetHold() : keepHold(hold)),
    heading: () => words('h1')[0] ?? '',
    text: () => document.getElementById('root')?.textContent ?? '',
    buttons: () => words('main button'),
    links: () => words('main a'),
    async close() {
      close();
      await window.happyDOM.close();
    },
  };
}
