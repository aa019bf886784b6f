/**
 * Mantine on our tokens. Its variables come from mantine.css and not from the provider: the provider would write a
 * style element through innerHTML, which the content security policy (Trusted Types, no inline style) forbids. For the
 * same reason Modal leaves scroll locking to a rule in mantine.css, and responsive style props are not used.
 */
import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorSchemeManager,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';
import { getAppearance, onAppearance, setAppearance } from './appearance.ts';

/** A hint is under its field, after a fault. */
const HINT_BELOW = {
  inputWrapperOrder: ['label', 'input', 'error', 'description'] as ('label' | 'input' | 'error' | 'description')[],
};
const tuple = (color: string) => Array.from({ length: 10 }, () => color) as unknown as MantineColorsTuple;

export const theme: MantineThemeOverride = createTheme({
  primaryColor: 'accent',
  // Placeholders: the real value is var(--mantine-color-…) from mantine.css.
  colors: { accent: tuple('#15579C'), danger: tuple('#BD3A2E') },
  fontFamily: 'var(--fr-font)',
  headings: { fontFamily: 'var(--fr-font)', fontWeight: '600' },
  cursorType: 'pointer',
  focusRing: 'auto',
  defaultRadius: 'md',
  respectReducedMotion: true,
  variantColorResolver: (input) => {
    const danger = input.color === 'danger' || input.color === 'red';
    const name = danger ? 'danger' : 'accent';
    switch (input.variant) {
      case 'filled':
        return {
          background: `var(--fr-${name})`,
          hover: danger ? 'var(--fr-danger)' : 'var(--fr-accent-hover)',
          color: `var(--fr-on-${name})`,
          border: '1px solid transparent',
        };
      case 'light':
        return {
          background: `var(--fr-${name}-soft)`,
          hover: `var(--fr-${name}-soft)`,
          color: danger ? 'var(--fr-danger)' : 'var(--fr-accent-ink)',
          border: '1px solid transparent',
        };
      case 'subtle':
        return {
          background: 'transparent',
          hover: `var(--fr-${name}-soft)`,
          color: danger ? 'var(--fr-danger)' : 'var(--fr-accent-ink)',
          border: '1px solid transparent',
        };
      case 'transparent':
        return {
          background: 'transparent',
          hover: 'transparent',
          color: danger ? 'var(--fr-danger)' : 'var(--fr-accent-ink)',
          border: '1px solid transparent',
        };
      case 'default':
        return {
          background: 'var(--fr-surface)',
          hover: 'var(--fr-sunken)',
          color: 'var(--fr-text)',
          border: '1px solid var(--fr-line)',
        };
      default:
        return defaultVariantColorsResolver(input);
    }
  },
  components: {
    // Text buttons such as "Forgot it?" and all icon buttons get their label where they are used.
    Modal: {
      defaultProps: {
        lockScroll: false,
        radius: 'lg',
        centered: true,
        transitionProps: { transition: 'fade-up', duration: 250 },
        overlayProps: { backgroundOpacity: 0.45 },
      },
    },
    // Its focus placeholder is a child that the role "menu" does not allow (axe: aria-required-children).
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        shadow: 'md',
        radius: 'md',
        transitionProps: { duration: 150 },
      },
    },
    // A list of countries or time zones is in the page only while it is open, not hidden beside its field.
    Combobox: { defaultProps: { keepMounted: false } },
    // A popover (menus and lists are some too) is not hidden when its target seems out of view. The kit took visible
    // targets for hidden while the page moved, or at the edge of a phone. It then measured the hidden popover without a
    // size, and left it hidden or showed it again with each frame.
    Popover: { defaultProps: { hideDetached: false, shadow: 'md', radius: 'md', transitionProps: { duration: 150 } } },
    ActionIcon: { defaultProps: { variant: 'subtle' } },
    Textarea: { defaultProps: HINT_BELOW },
    Select: { defaultProps: HINT_BELOW },
    Autocomplete: { defaultProps: HINT_BELOW },
    TextInput: { defaultProps: HINT_BELOW },
    PasswordInput: { defaultProps: HINT_BELOW },
  },
});

/** Mantine follows our appearance and never writes to the storage itself. */
export function appearanceManager(): MantineColorSchemeManager {
  let stop: (() => void) | null = null;
  return {
    get: () => getAppearance().scheme,
    set: (value) => {
      if (value !== 'auto' && value !== getAppearance().scheme) setAppearance({ scheme: value });
    },
    subscribe: (onUpdate) => {
      stop = onAppearance(() => onUpdate(getAppearance().scheme));
    },
    unsubscribe: () => stop?.(),
    clear: () => {},
  };
}
