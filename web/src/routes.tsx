/** Every page, lazily loaded, and who may open it (specification 2.1, 4.1). The door's pages are no routes here: join.html serves them. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { isTheripstLoggedIn } from './features/accounts/calls.ts';
import { signOut } from './features/accounts/sign-out.ts';
import { guardHome, guardRoute, type Rule } from './guards.ts';
import { ApiProblem, api } from './platform/api/index.ts';
import { storage } from './platform/storage.ts';
import { Broken } from './ui/Broken.tsx';
import { LoadingView } from './ui/LoadingView.tsx';

const THERAPIST: Rule = { groups: ['ROLE_THERAPIST'] };
const STAFF: Rule = { groups: ['ROLE_THERAPIST', 'ROLE_ADMIN'] };
const ADMIN: Rule = { groups: ['ROLE_ADMIN'] };
const CLIENT: Rule = { groups: ['ROLE_CLIENT'] };
const ANYBODY_SIGNED_IN: Rule = {};
/** Served by join.html, see vite.config.ts. */
const DOOR_PATHS = /^\/user\/(join|code|bye)(\/|$)/;

const therapistRoom = lazyRouteComponent(() => import('./features/room/TherapistRoomPage.tsx'));
const clientRoom = lazyRouteComponent(() => import('./features/room/ClientRoomPage.tsx'));

/**
 * Begins to fetch the room while the first words come, instead of after them. In: the path that was asked for. Out: the
 * words that its page needs beside those of every page. Fetches only; whether the page may be seen is the guard's.
 */
export function fetchAhead(path: string): readonly string[] {
  const page = { '/app/play-area': therapistRoom, '/app/play-area-view': clientRoom }[path];
  if (!page) return [];
  // What did not come is asked for again by the route, which also says so.
  page.preload?.()?.catch(() => undefined);
  return ['room', 'field', 'video'];
}

/** Refuses before anything of the page is loaded. */
function guarded(rule: Rule) {
  return ({ location }: { location: { href: string } }) => {
    const verdict = guardRoute(rule, location.href, storage.get('user'));
    if (verdict.kind === 'login')
      throw redirect({ to: '/user/login', search: { returnUrl: verdict.returnUrl }, replace: true });
    if (verdict.kind === 'go') throw redirect({ to: verdict.to, replace: true });
  };
}

const root = createRootRoute({
  component: Outlet,
  errorComponent: Broken,
  notFoundComponent: lazyRouteComponent(() => import('./features/shell/ErrorPage.tsx'), 'ErrorPage'),
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  pendingComponent: LoadingView,
  pendingMs: 0,
  beforeLoad: async () => {
    const verdict = guardHome(storage.get('user'), storage.get('therapist'));
    if (verdict.kind === 'login') {
      if (verdict.removeUser) storage.remove('user');
      throw redirect({ to: '/user/login', search: { returnUrl: '/' }, replace: true });
    }
    let signedIn = true;
    try {
      signedIn = await api.call(isTheripstLoggedIn, { params: { userId: verdict.userId } });
    } catch (fault) {
      // A line that is down says nothing about the sign-in: the play area shows what it can.
      signedIn = fault instanceof ApiProblem && fault.code === 'offline';
    }
    if (signedIn) throw redirect({ to: '/app/play-area', replace: true });
    await signOut();
    throw redirect({ to: '/user/login', search: { returnUrl: '/' }, replace: true });
  },
  component: LoadingView,
});

const user = createRoute({ getParentRoute: () => root, path: 'user' });
const userIndex = createRoute({
  getParentRoute: () => user,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/user/login', replace: true });
  },
});
const login = createRoute({
  getParentRoute: () => user,
  path: 'login',
  validateSearch: (search: Record<string, unknown>): { returnUrl?: string; ended?: boolean } => ({
    ...(typeof search.returnUrl === 'string' ? { returnUrl: search.returnUrl } : {}),
    ...(search.ended === true ? { ended: true } : {}),
  }),
  component: lazyRouteComponent(() => import('./features/accounts/SignInPage.tsx'), 'SignInPage'),
});
const register = createRoute({
  getParentRoute: () => user,
  path: 'register',
  component: lazyRouteComponent(() => import('./features/accounts/RegisterPage.tsx'), 'RegisterPage'),
});
const verify = createRoute({
  getParentRoute: () => user,
  path: 'verify',
  component: lazyRouteComponent(() => import('./features/accounts/VerifyPage.tsx'), 'VerifyPage'),
});
const forgot = createRoute({
  getParentRoute: () => user,
  path: 'forgot-password',
  component: lazyRouteComponent(() => import('./features/accounts/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
});
const reset = createRoute({
  getParentRoute: () => user,
  path: 'reset-password',
  component: lazyRouteComponent(() => import('./features/accounts/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
});
const license = createRoute({
  getParentRoute: () => user,
  path: 'license',
  component: lazyRouteComponent(() => import('./features/accounts/AgreementPage.tsx'), 'LicensePage'),
});
const dataAgreement = createRoute({
  getParentRoute: () => user,
  path: 'data-agreement',
  component: lazyRouteComponent(() => import('./features/accounts/AgreementPage.tsx'), 'DataAgreementPage'),
});
// The door's pages are another document: a link from the app to one of them loads it. That the server gave this document
// for such a path can't happen, and the mark keeps a wrong setting from loading in a circle.
const door = createRoute({
  getParentRoute: () => user,
  path: '$',
  beforeLoad: ({ location }) => {
    if (DOOR_PATHS.test(location.pathname) && window.location.pathname !== location.pathname) {
      window.location.assign(location.href);
      return;
    }
    throw redirect({ to: '/error', replace: true });
  },
  component: LoadingView,
});

const unauthorized = createRoute({
  getParentRoute: () => root,
  path: 'auth/unauthorized',
  component: lazyRouteComponent(() => import('./features/shell/UnauthorizedPage.tsx'), 'UnauthorizedPage'),
});
const error = createRoute({
  getParentRoute: () => root,
  path: 'error',
  component: lazyRouteComponent(() => import('./features/shell/ErrorPage.tsx'), 'ErrorPage'),
});
const unknown = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/error', replace: true });
  },
});

const app = createRoute({ getParentRoute: () => root, path: 'app' });
// The room fills the screen with a bar of its own; every other page stands in the shell.
const playArea = createRoute({
  getParentRoute: () => app,
  path: 'play-area',
  beforeLoad: guarded(THERAPIST),
  pendingComponent: LoadingView,
  component: therapistRoom,
});
const playAreaView = createRoute({
  getParentRoute: () => app,
  path: 'play-area-view',
  beforeLoad: guarded(CLIENT),
  pendingComponent: LoadingView,
  component: clientRoom,
});
const shell = createRoute({
  getParentRoute: () => app,
  id: 'shell',
  beforeLoad: guarded(ANYBODY_SIGNED_IN),
  component: lazyRouteComponent(() => import('./features/shell/Shell.tsx'), 'Shell'),
});
const appIndex = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/app/dashboard', replace: true });
  },
});
const dashboard = createRoute({
  getParentRoute: () => shell,
  path: 'dashboard',
  beforeLoad: guarded(STAFF),
  component: lazyRouteComponent(() => import('./features/shell/DashboardPage.tsx'), 'DashboardPage'),
});
const welcome = createRoute({
  getParentRoute: () => shell,
  path: 'welcome',
  component: lazyRouteComponent(() => import('./features/shell/WelcomePage.tsx'), 'WelcomePage'),
});
const building = (rule: Rule) => ({
  beforeLoad: guarded(rule),
  component: lazyRouteComponent(() => import('./features/shell/BuildingPage.tsx'), 'BuildingPage'),
});
const events = createRoute({
  getParentRoute: () => shell,
  path: 'manage-events-client',
  beforeLoad: guarded(STAFF),
  component: lazyRouteComponent(() => import('./features/events/MyEventsPage.tsx'), 'MyEventsPage'),
});
const program = createRoute({
  getParentRoute: () => shell,
  path: 'program',
  // The id of the event that is to be copied.
  validateSearch: (search: Record<string, unknown>): { copy?: number } =>
    Number.isSafeInteger(search.copy) && (search.copy as number) > 0 ? { copy: search.copy as number } : {},
  beforeLoad: guarded(STAFF),
  component: lazyRouteComponent(() => import('./features/events/ProgramPage.tsx'), 'ProgramPage'),
});
const profile = createRoute({ getParentRoute: () => shell, path: 'profile', ...building(STAFF) });
const template = createRoute({ getParentRoute: () => shell, path: 'template', ...building(STAFF) });
const usage = createRoute({ getParentRoute: () => shell, path: 'user-system-usage', ...building(ADMIN) });
const cronJobs = createRoute({ getParentRoute: () => shell, path: 'cron-job-conf', ...building(ADMIN) });

const tree = root.addChildren([
  home,
  user.addChildren([userIndex, login, register, verify, forgot, reset, license, dataAgreement, door]),
  unauthorized,
  error,
  app.addChildren([
    playArea,
    playAreaView,
    shell.addChildren([appIndex, dashboard, welcome, events, program, profile, template, usage, cronJobs]),
  ]),
  unknown,
]);

export const router = createRouter({
  routeTree: tree,
  defaultPreload: 'intent',
  scrollRestoration: false,
  defaultPendingMs: 200,
  defaultPendingComponent: LoadingView,
  defaultErrorComponent: Broken,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
