/**
 * Every page of the app, lazily loaded, and who may open it. The light pages are separate documents and not routes
 * here; `contract/src/pages.ts` lists them.
 */
import { isTheripstLoggedIn } from '@fieldroom/contract/accounts';
import { DASHBOARD_PAGE, PACKAGE_PAGE, pageAt, SIGN_IN_PAGE, THERAPIST_ROOM } from '@fieldroom/contract/pages';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { signOut } from './features/accounts/signOut.ts';
import { fetchMenusAhead } from './features/design/menus/menusAhead.ts';
import { guardHome, guardRoute, type Rule, signInHolds, THERAPISTS } from './guards.ts';
import { api } from './platform/api/index.ts';
import { PART_TEXTS } from './partTexts.ts';
import { findPageWords, loadWords } from './platform/i18n/app.ts';
import { storage } from './platform/storage.ts';
import { PageFault } from './features/shell/errors/PageFault.tsx';
import { LoadingView } from './ui/states/LoadingView.tsx';

const STAFF: Rule = { groups: ['ROLE_THERAPIST', 'ROLE_ADMIN'] };
const ADMIN: Rule = { groups: ['ROLE_ADMIN'] };
const ANYBODY_SIGNED_IN: Rule = {};

interface PageExtras<Module> {
  /** Further files to load before it is shown. */
  also?: () => Promise<void>;
  /** Fetches its data if it is the document's first page, as soon as its code is loaded. */
  ahead?: (module: Module) => Promise<void>;
}

/**
 * A page whose code and texts are loaded together. Its texts are those of every part that may appear on it: a part that
 * loaded its own later would hide the whole page until they are there.
 */
function page<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
  texts: readonly string[],
  { also, ahead }: PageExtras<Module> = {},
) {
  return {
    component: lazyRouteComponent(load, name),
    loader: () => Promise.all([loadWords(texts), also?.()]),
    staticData: { texts, also, ahead: ahead && (async () => ahead(await load())) },
  };
}

const ROOM_TEXTS: readonly string[] = PART_TEXTS.room;
const therapistRoom = lazyRouteComponent(() => import('./features/room/therapist/RoomInApp.tsx'));

/** Refuses before anything of the page is loaded. */
function guarded(rule: Rule) {
  return ({ location }: { location: { href: string } }) => {
    const verdict = guardRoute(rule, location.href, storage.get('user'));
    if (verdict.kind === 'login')
      throw redirect({ to: SIGN_IN_PAGE, search: { returnUrl: verdict.returnUrl }, replace: true });
    if (verdict.kind === 'go') throw redirect({ to: verdict.to, replace: true });
  };
}

const errorPage = page(() => import('./features/shell/errors/NotFoundPage.tsx'), 'NotFoundPage', ['shell']);

const root = createRootRoute({
  component: Outlet,
  errorComponent: PageFault,
  notFoundComponent: errorPage.component,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  pendingMs: 0,
  beforeLoad: async () => {
    const verdict = guardHome(storage.get('user'), storage.get('therapist'));
    if (verdict.kind === 'login') {
      if (verdict.removeUser) storage.remove('user');
      throw redirect({ to: SIGN_IN_PAGE, search: { returnUrl: '/' }, replace: true });
    }
    const { userId } = verdict;
    if (await signInHolds(() => api.call(isTheripstLoggedIn, { params: { userId } })))
      throw redirect({ to: THERAPIST_ROOM, replace: true });
    await signOut();
    throw redirect({ to: SIGN_IN_PAGE, search: { returnUrl: '/' }, replace: true });
  },
  component: LoadingView,
});

const user = createRoute({ getParentRoute: () => root, path: 'user' });
const userIndex = createRoute({
  getParentRoute: () => user,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: SIGN_IN_PAGE, replace: true });
  },
});
const login = createRoute({
  getParentRoute: () => user,
  path: 'login',
  validateSearch: (search: Record<string, unknown>): { returnUrl?: string; ended?: boolean } => ({
    ...(typeof search.returnUrl === 'string' ? { returnUrl: search.returnUrl } : {}),
    ...(search.ended === true ? { ended: true } : {}),
  }),
  ...page(() => import('./features/accounts/signIn/SignInPage.tsx'), 'SignInPage', PART_TEXTS.account),
});
const register = createRoute({
  getParentRoute: () => user,
  path: 'register',
  ...page(() => import('./features/accounts/register/RegisterPage.tsx'), 'RegisterPage', PART_TEXTS.account),
});
const verify = createRoute({
  getParentRoute: () => user,
  path: 'verify',
  ...page(() => import('./features/accounts/emailLinks/VerifyPage.tsx'), 'VerifyPage', PART_TEXTS.account),
});
const forgot = createRoute({
  getParentRoute: () => user,
  path: 'forgot-password',
  ...page(
    () => import('./features/accounts/emailLinks/ForgotPasswordPage.tsx'),
    'ForgotPasswordPage',
    PART_TEXTS.account,
  ),
});
const reset = createRoute({
  getParentRoute: () => user,
  path: 'reset-password',
  ...page(
    () => import('./features/accounts/emailLinks/ResetPasswordPage.tsx'),
    'ResetPasswordPage',
    PART_TEXTS.account,
  ),
});
const confirmEmail = createRoute({
  getParentRoute: () => user,
  path: 'confirm-email',
  ...page(() => import('./features/accounts/emailLinks/EmailLinkPages.tsx'), 'ConfirmEmailPage', PART_TEXTS.account),
});
const restoreEmail = createRoute({
  getParentRoute: () => user,
  path: 'restore-email',
  ...page(() => import('./features/accounts/emailLinks/EmailLinkPages.tsx'), 'RestoreEmailPage', PART_TEXTS.account),
});
const license = createRoute({
  getParentRoute: () => user,
  path: 'license',
  ...page(() => import('./features/accounts/legal/AgreementPage.tsx'), 'LicensePage', PART_TEXTS.account),
});
const dataAgreement = createRoute({
  getParentRoute: () => user,
  path: 'data-agreement',
  ...page(() => import('./features/accounts/legal/AgreementPage.tsx'), 'DataAgreementPage', PART_TEXTS.account),
});
const imprint = createRoute({
  getParentRoute: () => user,
  path: 'imprint',
  ...page(() => import('./features/accounts/legal/ImprintPage.tsx'), 'ImprintPage', PART_TEXTS.account),
});
/** The path for which the browser got this document. */
const LOADED_FOR = window.location.pathname;

/**
 * For paths without a page of the app: loads the document that answers there (`contract/src/pages.ts`), else shows the
 * error page, at the address that was typed. A server that wrongly sends the app for such a path must not make the
 * browser reload endlessly.
 */
function leaveForDocument({ location }: { location: { pathname: string; href: string } }) {
  if (pageAt(location.pathname).document !== 'app' && location.pathname !== LOADED_FOR) {
    window.location.assign(location.href);
    return;
  }
  throw notFound();
}

const unauthorized = createRoute({
  getParentRoute: () => root,
  path: 'auth/unauthorized',
  ...page(() => import('./features/shell/errors/UnauthorizedPage.tsx'), 'UnauthorizedPage', ['shell']),
});
const error = createRoute({
  getParentRoute: () => root,
  path: 'error',
  ...errorPage,
});
const unknown = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: leaveForDocument,
  component: LoadingView,
  staticData: { texts: ['shell'], also: async () => errorPage.component.preload?.() },
});

const app = createRoute({ getParentRoute: () => root, path: 'app' });
// The room fills the screen and has its own bar; every other page is in the shell. Its address opens it in its own
// document (startRoom.tsx). From another page of the app it opens here, and leads back there.
const playArea = createRoute({
  getParentRoute: () => app,
  path: 'play-area',
  beforeLoad: guarded(THERAPISTS),
  component: therapistRoom,
  loader: () => loadWords(ROOM_TEXTS),
  staticData: { texts: ROOM_TEXTS },
});
// A client's room is not part of the app: no page of the app leads there and back.
const playAreaView = createRoute({
  getParentRoute: () => app,
  path: 'play-area-view',
  beforeLoad: leaveForDocument,
  component: LoadingView,
});
const shell = createRoute({
  getParentRoute: () => app,
  id: 'shell',
  beforeLoad: guarded(ANYBODY_SIGNED_IN),
  // The menus' colours too, so that they do not visibly change.
  ...page(() => import('./features/shell/Shell.tsx'), 'Shell', PART_TEXTS.frame, {
    also: fetchMenusAhead,
  }),
});
const appIndex = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: DASHBOARD_PAGE, replace: true });
  },
});
const dashboard = createRoute({
  getParentRoute: () => shell,
  path: 'dashboard',
  beforeLoad: guarded(THERAPISTS),
  ...page(() => import('./features/dashboard/DashboardPage.tsx'), 'DashboardPage', ['dashboard', 'sessions'], {
    ahead: ({ fetchDashboardAhead }) => fetchDashboardAhead(),
  }),
});
const welcome = createRoute({
  getParentRoute: () => shell,
  path: 'welcome',
  ...page(() => import('./features/help/HelpPage.tsx'), 'HelpPage', ['help', 'usage']),
});
const features = createRoute({
  getParentRoute: () => shell,
  path: 'features',
  ...page(() => import('./features/help/FeaturesPage.tsx'), 'FeaturesPage', ['help']),
});
const support = createRoute({
  getParentRoute: () => shell,
  path: 'support',
  beforeLoad: guarded(STAFF),
  ...page(() => import('./features/help/SupportPage.tsx'), 'SupportPage', ['help']),
});
const events = createRoute({
  getParentRoute: () => shell,
  path: 'manage-events-client',
  // The id of the event whose participants are shown.
  validateSearch: (search: Record<string, unknown>): { participants?: number } =>
    Number.isSafeInteger(search.participants) && (search.participants as number) > 0
      ? { participants: search.participants as number }
      : {},
  beforeLoad: guarded(STAFF),
  ...page(() => import('./features/events/list/MyEventsPage.tsx'), 'MyEventsPage', ['my-events', 'events'], {
    ahead: ({ fetchMyEventsAhead }) => fetchMyEventsAhead(),
  }),
});
const program = createRoute({
  getParentRoute: () => shell,
  path: 'program',
  // The id of the event that is to be copied.
  validateSearch: (search: Record<string, unknown>): { copy?: number } =>
    Number.isSafeInteger(search.copy) && (search.copy as number) > 0 ? { copy: search.copy as number } : {},
  beforeLoad: guarded(STAFF),
  ...page(() => import('./features/events/program/ProgramPage.tsx'), 'ProgramPage', ['events'], {
    ahead: ({ fetchProgramAhead }) => fetchProgramAhead(),
  }),
});
const history = createRoute({
  getParentRoute: () => shell,
  path: 'history',
  // The id of the live session that is opened.
  validateSearch: (search: Record<string, unknown>): { session?: number } =>
    Number.isSafeInteger(search.session) && (search.session as number) > 0 ? { session: search.session as number } : {},
  beforeLoad: guarded(THERAPISTS),
  ...page(() => import('./features/sessions/SessionsPage.tsx'), 'SessionsPage', ['sessions']),
});
const subscriptionIndex = createRoute({
  getParentRoute: () => shell,
  path: 'subscription',
  beforeLoad: () => {
    throw redirect({ to: PACKAGE_PAGE, replace: true });
  },
});
const subscription = createRoute({
  getParentRoute: () => shell,
  path: 'subscription/professional-package',
  beforeLoad: guarded(THERAPISTS),
  ...page(() => import('./features/billing/SubscriptionPage.tsx'), 'SubscriptionPage', ['billing']),
});
const profile = createRoute({
  getParentRoute: () => shell,
  path: 'profile',
  beforeLoad: guarded(STAFF),
  // Cropping a picture uses words of the events.
  ...page(() => import('./features/profile/ProfilePage.tsx'), 'ProfilePage', ['profile', 'events'], {
    ahead: ({ fetchProfileAhead }) => fetchProfileAhead(),
  }),
});
const template = createRoute({
  getParentRoute: () => shell,
  path: 'template',
  beforeLoad: guarded(THERAPISTS),
  ...page(() => import('./features/design/page/DesignPage.tsx'), 'DesignPage', ['design', 'field', 'events']),
});
const usage = createRoute({
  getParentRoute: () => shell,
  path: 'user-system-usage',
  beforeLoad: guarded(ADMIN),
  ...page(() => import('./features/admin/usage/UsagePage.tsx'), 'UsagePage', ['admin']),
});
const search = createRoute({
  getParentRoute: () => shell,
  path: 'pages/miscellaneous/search',
  beforeLoad: guarded(STAFF),
  ...page(() => import('./features/shell/SearchPage.tsx'), 'SearchPage', ['search', 'shell']),
});
const cronJobs = createRoute({
  getParentRoute: () => shell,
  path: 'cron-job-conf',
  beforeLoad: guarded(ADMIN),
  ...page(() => import('./features/admin/jobs/CronJobsPage.tsx'), 'CronJobsPage', ['admin']),
});
const browserLogs = createRoute({
  getParentRoute: () => shell,
  path: 'browser-logs',
  beforeLoad: guarded(ADMIN),
  ...page(() => import('./features/admin/logs/LogsPage.tsx'), 'LogsPage', ['admin']),
});
const bugReports = createRoute({
  getParentRoute: () => shell,
  path: 'bug-reports',
  beforeLoad: guarded(ADMIN),
  ...page(() => import('./features/bugReports/operator/BugReportsPage.tsx'), 'BugReportsPage', ['bugReports']),
});

const tree = root.addChildren([
  home,
  user.addChildren([
    userIndex,
    login,
    register,
    verify,
    forgot,
    reset,
    confirmEmail,
    restoreEmail,
    license,
    dataAgreement,
    imprint,
  ]),
  unauthorized,
  error,
  app.addChildren([
    playArea,
    playAreaView,
    shell.addChildren([
      appIndex,
      dashboard,
      welcome,
      features,
      support,
      events,
      program,
      history,
      subscriptionIndex,
      subscription,
      profile,
      template,
      usage,
      cronJobs,
      browserLogs,
      search,
      bugReports,
    ]),
  ]),
  unknown,
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  scrollRestoration: false,
  defaultPendingMs: 200,
  defaultPendingComponent: LoadingView,
  defaultErrorComponent: PageFault,
});

/**
 * Starts fetching a page and its frame while the first texts load, instead of after them. Takes the requested path.
 * Returns the texts that it needs in addition to those of every page, and a promise that resolves when its data has
 * arrived or failed. It only fetches; the guard decides whether the page may be seen.
 */
export function fetchAhead(path: string): { texts: readonly string[]; data: Promise<unknown> } {
  const [matched] = router.getMatchedRoutes(path);
  const texts = matched.flatMap(({ options }) => options.staticData?.texts ?? []);
  // The route repeats a failed fetch, and reports it.
  if (texts.some((name) => !ROOM_TEXTS.includes(name))) findPageWords().catch(() => undefined);
  const asked: Promise<unknown>[] = [];
  for (const { options } of matched) {
    const { component, staticData } = options;
    staticData?.also?.().catch(() => undefined);
    if (staticData?.ahead) asked.push(staticData.ahead().catch(() => undefined));
    if (component && 'preload' in component) component.preload?.()?.catch(() => undefined);
  }
  return { texts: [...new Set(texts)], data: Promise.all(asked) };
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** The texts that the page needs in addition to those of every page. */
    texts?: readonly string[];
    /** Further files to load before it is shown. */
    also?: (() => Promise<void>) | undefined;
    /** Fetches its data before it is drawn. */
    ahead?: (() => Promise<void>) | undefined;
  }
}
