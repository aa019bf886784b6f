/**
 * Files whose modules are listed here, besides those that the build plans (build/chunks/chunkPlan.ts): what the light
 * pages need, and icons of the room (docs/decisions/0019-files-planned-by-what-is-there.md).
 * `tools/web-build/fixed-files.test.mjs` notices a missing module, and an icon that nothing draws.
 */
import { REST } from '../contractForBrowser.ts';

/** Icons that both the light pages and the app draw: otherwise each would be a file. */
export const LIGHT_ICONS = [
  'AlertCircle',
  'CalendarEvent',
  'Check',
  'Mail',
  'Search',
  'User',
  'Users',
  'World',
  'X',
] as const;

/** Icons of the room that other pages draw too: a file for each would cost the room more than all of them together. */
export const ROOM_ICONS = [
  ...['ChevronDown', 'ChevronLeft', 'ChevronRight', 'CircleCheck', 'Copy', 'Dots', 'DoorEnter', 'Eye', 'EyeOff'],
  ...['FocusCentered', 'Headphones', 'Link', 'Lock', 'Maximize', 'Microphone', 'Minus', 'Plus', 'Refresh'],
];

/** Icons of the controls, which a phone's menu draws too: no public page has them. */
export const CONTROL_ICONS = [
  ...['AdjustmentsHorizontal', 'ArrowBackUp', 'ArrowForwardUp', 'HandStop', 'MicrophoneOff', 'PlayerStop'],
  ...['ShieldCheck', 'Video', 'VideoMinus'],
];

/** Icons of the switch on pages outside the app. */
export const SCHEME_ICONS = ['Moon', 'Sun'] as const;

/**
 * What every entry needs before its first paint, in one file: a weak connection pays a round trip for each small one.
 * The light pages share `src/light`; the rest is what the app needs too.
 */
export const LIGHT = [
  '/node_modules/react/',
  '/node_modules/react-dom/',
  '/node_modules/scheduler/',
  '/web/src/light/',
  '/contract/src/http.ts',
  '/contract/src/names.ts',
  '/contract/src/pages.ts',
  '/contract/src/colours/palettes.ts',
  '/web/src/platform/api/',
  '/web/src/platform/i18n/charactersLeft.ts',
  '/web/src/platform/i18n/faults.ts',
  '/web/src/platform/i18n/formats.ts',
  '/web/src/platform/i18n/languages.ts',
  '/web/src/platform/storage.ts',
  '/web/src/platform/time/clock.ts',
  '/web/src/platform/emitter.ts',
  '/web/src/platform/links/fragmentToken.ts',
  '/web/src/ui/dialogs/backCloses.ts',
  '/web/src/ui/states/ErrorBoundary.tsx',
  '/web/src/ui/figures/Brand.tsx',
  '/web/src/ui/theme/appearance.ts',
  '/web/src/ui/theme/palettes.ts',
] as const;

/**
 * What the light pages and the app read from these without a schema (contractForBrowser.ts): less than half a kilobyte
 * each.
 */
export const LIGHT_CONTRACT = ['accounts', 'bookings', 'clients'] as const;

/** What the icons themselves need. */
const ICON_PARTS = ['createReactComponent', 'defaultAttributes'];

const ICONS_FOLDER = '/icons-react/dist/esm';
/** Whether a module is one of these icons. */
const isIcon = (id: string, names: readonly string[]) =>
  names.some((name) => id.endsWith(`${ICONS_FOLDER}/icons/Icon${name}.mjs`));

/** The switch on pages outside the app: not in the light file, which the room loads too. */
const isSchemeSwitch = (id: string) => id.endsWith('/src/light/SchemeSwitch.tsx') || isIcon(id, SCHEME_ICONS);

const isLight = (id: string) =>
  LIGHT.some((part) => id.includes(part)) ||
  ICON_PARTS.some((part) => id.includes(`${ICONS_FOLDER}/${part}.mjs`)) ||
  LIGHT_CONTRACT.some((name) => id.endsWith(`/contract/src/${name}.ts${REST}`)) ||
  isIcon(id, LIGHT_ICONS);

/** The style that all entries share, as one file, and the code that loads later parts. */
const GROUND =
  /vite\/preload-helper|virtual:palettes\.css$|\/src\/(?:ui\/theme\/(?:tokens|voice)|light\/\w+\.module)\.css$/;

/** The styles of the public pages, as one file. */
const PUBLIC_STYLES = /\/features\/bookings\/(?!own\/).*\.module\.css$/;

/** How times, prices and zones of events are written: what the public pages and the app both need, in small modules. */
const EVENT_TIMES =
  /\/locales\/\w+\/cities\.json$|\/features\/events\/(?:formatting|dates\/(?:wallClock|zoneCity))\.ts$/;

/** The files, in the bundler's form. */
export const fixedFiles = [
  { name: 'ground', test: GROUND, priority: 2 },
  { name: 'public', test: PUBLIC_STYLES, priority: 2 },
  { name: 'light', test: (id: string) => !isSchemeSwitch(id) && isLight(id), priority: 1 },
  // Last: what the icons themselves need is in the light file.
  { name: 'eventTimes', test: EVENT_TIMES, priority: 0 },
  { name: 'scheme', test: isSchemeSwitch, priority: 0 },
  { name: 'controlIcons', test: (id: string) => isIcon(id, CONTROL_ICONS), priority: 0 },
  { name: 'roomIcons', test: (id: string) => isIcon(id, ROOM_ICONS), priority: 0 },
];
