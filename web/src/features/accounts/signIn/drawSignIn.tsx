/**
 * Prerenders the sign-in page at build time from the app's own components, so that a person on a slow connection can
 * begin before the scripts have arrived (docs/product.md#11.69). Built as a module for the build
 * (web/build/documents/drawnSignIn.ts), which writes a document for each language.
 */
import { SIGN_IN_PAGE } from '@fieldroom/contract/pages';
import { type MantineColorSchemeManager, MantineProvider } from '@mantine/core';
import type { Language } from '@fieldroom/contract/text';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import i18next from 'i18next';
import { renderToString } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { theme } from '../../../ui/theme/theme.ts';
import styles from '../frame/accounts.module.css';
import { SignInView } from './SignInView.tsx';

const words = import.meta.glob<Record<string, unknown>>('../../../locales/*/{common,accounts}.json', {
  eager: true,
  import: 'default',
});

/** The style decides on everything that depends on light or dark. */
const scheme: MantineColorSchemeManager = {
  get: () => 'light',
  set() {},
  subscribe() {},
  unsubscribe() {},
  clear() {},
};

/** Takes the language. Returns markup, and the title of the page. */
export async function drawSignIn(language: Language): Promise<{ markup: string; title: string }> {
  const wordsOf = (name: string) => words[`../../../locales/${language}/${name}.json`]!;
  const says = i18next.createInstance();
  await says.init({
    lng: language,
    supportedLngs: [language],
    resources: { [language]: { common: wordsOf('common'), accounts: wordsOf('accounts') } },
    defaultNS: 'common',
    // React does the escaping.
    interpolation: { escapeValue: false },
  });
  const router = createRouter({
    routeTree: createRootRoute(),
    history: createMemoryHistory({ initialEntries: [SIGN_IN_PAGE] }),
  });
  /** Only the browser knows whether somebody has signed in here before; the style shows one of the two. */
  const either = (stranger: string, known: string) => (
    <>
      <span className={styles.stranger}>{says.t(stranger, { ns: 'accounts' })}</span>
      <span className={styles.known}>{says.t(known, { ns: 'accounts' })}</span>
    </>
  );
  const markup = renderToString(
    <I18nextProvider i18n={says}>
      <MantineProvider theme={theme} colorSchemeManager={scheme} withCssVariables={false} withGlobalClasses={false}>
        <RouterContextProvider router={router as never}>
          <SignInView
            title={either('signIn.title', 'signIn.greeting')}
            lead={either('signIn.what', 'signIn.lead')}
            status={
              <span className="fr-hidden" data-busy hidden>
                {says.t('signIn.busy', { ns: 'accounts' })}
              </span>
            }
            email={{ name: 'email' }}
            password={{ name: 'password' }}
            isDrawing
          />
        </RouterContextProvider>
      </MantineProvider>
    </I18nextProvider>,
  );
  return { markup, title: says.t('signIn.title', { ns: 'accounts' }) };
}
