/** The type of side menu that was chosen in this browser (docs/product.md#11.35), stored like the other looks. */
import { useSyncExternalStore } from 'react';
import { createEmitter } from '../../../platform/emitter.ts';
import { storage } from '../../../platform/storage.ts';
import { MENU_TYPES, type MenuType } from './menuLayout.ts';

const changes = createEmitter();
const isType = (value: string | null): value is MenuType => (MENU_TYPES as readonly (string | null)[]).includes(value);

/** The chosen type. An invalid stored value is dropped. */
export function menuType(): MenuType {
  const stored = storage.getText('menu');
  if (isType(stored)) return stored;
  if (stored !== null) storage.remove('menu');
  return 'menu-default';
}

/** Applies and stores a choice. */
export function setMenuType(type: MenuType): void {
  storage.setText('menu', type);
  changes.emit();
}

/** Reads the chosen type and follows its changes. */
export const useMenuType = (): MenuType => useSyncExternalStore(changes.on, menuType);
