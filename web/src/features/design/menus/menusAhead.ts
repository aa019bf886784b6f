/** Fetches the menus' colours before the shell's first page, with code that is not part of the app's first script. */
export const fetchMenusAhead = async (): Promise<void> => (await import('./useMenuLook.ts')).fetchMenus();
