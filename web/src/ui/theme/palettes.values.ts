/**
 * The values of record of the 20 themes (10 palettes, light and dark); theme.test.ts checks every pair that meets on a page.
 * Only the build reads them: vite.config.ts turns them into `virtual:palettes.css`, so that no page carries them as script.
 */
import type { Palette, Scheme } from './palettes.ts';

export type Token =
  | 'bg' | 'surface' | 'sunken' | 'field' | 'line' | 'lineStrong' | 'text' | 'muted'
  | 'accent' | 'accentHover' | 'onAccent' | 'accentSoft' | 'accentInk' | 'focus'
  | 'success' | 'successSoft' | 'warning' | 'warningSoft' | 'danger' | 'dangerSoft' | 'onDanger';
export type Values = Readonly<Record<Token, string>>;

export const PALETTE_VALUES: Readonly<Record<Palette, Readonly<Record<Scheme, Values>>>> = {
  bluenavy: {
    light: { bg: '#F4F7FB', surface: '#FFFFFF', sunken: '#EBEFF5', field: '#F4EEE2', line: '#DADEE6', lineStrong: '#818893', text: '#202632', muted: '#606775', accent: '#1F3B7C', accentHover: '#112A69', onAccent: '#FFFFFF', accentSoft: '#E4EDFF', accentInk: '#1F3B7C', focus: '#39589B', success: '#2B7440', successSoft: '#DFF6E2', warning: '#945F0E', warningSoft: '#FDEFD2', danger: '#BD3A2E', dangerSoft: '#FEE9E7', onDanger: '#FFFFFF' },
    dark: { bg: '#11141A', surface: '#1A1D24', sunken: '#22262D', field: '#24211E', line: '#30343C', lineStrong: '#6B707A', text: '#EAEDF2', muted: '#999FAA', accent: '#99B4EB', accentHover: '#ACC4F4', onAccent: '#0C1529', accentSoft: '#27324B', accentInk: '#A2BEF5', focus: '#99B4EB', success: '#7CCD8E', successSoft: '#1F3724', warning: '#EDBB64', warningSoft: '#402F17', danger: '#F08F87', dangerSoft: '#4A2321', onDanger: '#290B0A' },
  },
  blueyale: {
    light: { bg: '#F8F7F3', surface: '#FFFFFF', sunken: '#F0EEE9', field: '#F3EEE3', line: '#E0DED8', lineStrong: '#8B877E', text: '#1F2732', muted: '#5E6775', accent: '#15579C', accentHover: '#004688', onAccent: '#FFFFFF', accentSoft: '#E1EEFE', accentInk: '#15579D', focus: '#3675BD', success: '#2B7440', successSoft: '#DFF6E2', warning: '#945F0E', warningSoft: '#FDEFD2', danger: '#BD3A2E', dangerSoft: '#FEE9E7', onDanger: '#FFFFFF' },
    dark: { bg: '#0F141B', surface: '#191E25', sunken: '#21262F', field: '#24211E', line: '#2F353D', lineStrong: '#6A727D', text: '#E9EDF2', muted: '#989FAA', accent: '#84B4F0', accentHover: '#9BC4F7', onAccent: '#05162C', accentSoft: '#1E344E', accentInk: '#8DBEFA', focus: '#84B4F0', success: '#7CCD8E', successSoft: '#1F3724', warning: '#EDBB64', warningSoft: '#402F17', danger: '#F08F87', dangerSoft: '#4A2321', onDanger: '#290B0A' },
  },
  blueolympic: {
    light: { bg: '#F4F7FA', surface: '#FFFFFF', sunken: '#EAEFF3', field: '#F4EEE2', line: '#D8DFE3', lineStrong: '#7F898F', text: '#1C2831', muted: '#596872', accent: '#0071A7', accentHover: '#005F8E', onAccent: '#FFFFFF', accentSoft: '#DDF0FE', accentInk: '#0370A5', focus: '#228ECB', success: '#2B7440', successSoft: '#DFF6E2', warning: '#945F0E', warningSoft: '#FDEFD2', danger: '#BD3A2E', dangerSoft: '#FEE9E7', onDanger: '#FFFFFF' },
    dark: { bg: '#0F1519', surface: '#181E23', sunken: '#20272C', field: '#24211E', line: '#2E353B', lineStrong: '#68737A', text: '#E8EEF2', muted: '#95A0A9', accent: '#6EBDF3', accentHover: '#8ACCFA', onAccent: '#001829', accentSoft: '#15364C', accentInk: '#78C7FD', focus: '#6EBDF3', success: '#7CCD8E', successSoft: '#1F3724', warning: '#EDBB64', warningSoft: '#402F17', danger: '#F08F87', dangerSoft: '#4A2321', onDanger: '#290B0A' },
  },
  greenmoss: {
    light: { bg: '#F7F7F2', surface: '#FFFFFF', sunken: '#EFEFE7', field: '#EFF0E2', line: '#DEDFD5', lineStrong: '#88897A', text: '#21291E', muted: '#5F695C', accent: '#3D5C32', accentHover: '#2D4B22', onAccent: '#FFFFFF', accentSoft: '#E6F1E2', accentInk: '#3D5C32', focus: '#59794E', success: '#2B7440', successSoft: '#DFF6E2', warning: '#945F0E', warningSoft: '#FDEFD2', danger: '#BD3A2E', dangerSoft: '#FEE9E7', onDanger: '#FFFFFF' },
    dark: { bg: '#111510', surface: '#1A1F19', sunken: '#232821', field: '#20231E', line: '#31362F', lineStrong: '#6C736A', text: '#EAEEE9', muted: '#99A196', accent: '#98C28A', accentHover: '#ACD0A0', onAccent: '#0B1B06', accentSoft: '#263920', accentInk: '#A1CC93', focus: '#98C28A', success: '#7CCD8E', successSoft: '#1F3724', warning: '#EDBB64', warningSoft: '#402F17', danger: '#F08F87', dangerSoft: '#4A2321', onDanger: '#290B0A' },
  },
  greenlime: {
    light: { bg: '#F6F8F2', surface: '#FFFFFF', sunken: '#EDF0E7', field: '#EDF0E2', line: '#DDE0D4', lineStrong: '#868A79', text: '#23291C', muted: '#63695B', accent: '#567500', accentHover: '#476200', onAccent: '#FFFFFF', accentSoft: '#E8F1DB', accentInk: '#557400', focus: '#70922B', success: '#2B7440', successSoft: '#DFF6E2', warning: '#956010', warningSoft: '#FDEFD2', danger: '#BD3A2E', dangerSoft: '#FEE9E7', onDanger: '#FFFFFF' },
    dark: { bg: '#12150F', surface: '#1C1F18', sunken: '#242720', field: '#20221E', line: '#32362E', lineStrong: '#6D7267', text: '#EBEEE8', muted: '#9BA195', accent: '#ACD563', accentHover: '#BFE385', onAccent: '#101A00', accentSoft: '#2C3817', accentInk: '#B5DF6D', focus: '#ACD563', success: '#7CCD8E', successSoft: '#1F3724', warning: '#EDBB64', warningSoft: '#402F17', danger: '#F08F87', dangerSoft: '#4A2321', onDanger: '#290B0A' },
  },
  purplemonster: {
    light: { bg: '#F8F6FA', surface: '#FFFFFF', sunken: '#F0EDF3', field: '#F1ECF8', line: '#E0DCE4', lineStrong: '#8B8692', text: '#282431', muted: '#686473', accent: '#693CAB', accentHover: '#582998', onAccent: '#FFFFFF', accentSoft: '#EFE9FF', accentInk: '#693CAB', focus: '#855BCD', success: '#2B7440', successSoft: '#DFF6E2', warning: '#945F0E', warningSoft: '#FDEFD2', danger: '#BD3A2E', dangerSoft: '#FEE9E7', onDanger: '#FFFFFF' },
    dark: { bg: '#141319', surface: '#1E1C23', sunken: '#27252C', field: '#222126', line: '#35333B', lineStrong: '#726F7A', text: '#EDECF2', muted: '#9F9CA8', accent: '#BAA1F1', accentHover: '#C8B4F8', onAccent: '#191029', accentSoft: '#362C4B', accentInk: '#C3AAFB', focus: '#BAA1F1', success: '#7CCD8E', successSoft: '#1F3724', warning: '#EDBB64', warningSoft: '#402F17', danger: '#F08F87', dangerSoft: '#4A2321', onDanger: '#290B0A' },
  },
  orangecarrot: {
    light: { bg: '#FBF6F1', surface: '#FFFFFF', sunken: '#F4EDE6', field: '#F8ECE1', line: '#E5DCD4', lineStrong: '#93867A', text: '#31231D', muted: '#73635B', accent: '#B24B04', accentHover: '#993E00', onAccent: '#FFFFFF', accentSoft: '#FEE8DE', accentInk: '#B04A02', focus: '#CD642B', success: '#2B7440', successSoft: '#DFF6E2', warning: '#945F0E', warningSoft: '#FDEFD2', danger: '#BD3A2E', dangerSoft: '#FEE9E7', onDanger: '#FFFFFF' },
    dark: { bg: '#19120F', surface: '#231C18', sunken: '#2C2420', field: '#26201E', line: '#3B322E', lineStrong: '#7A6E69', text: '#F2EBE8', muted: '#A99B95', accent: '#FB9C6E', accentHover: '#FEB390', onAccent: '#280D02', accentSoft: '#4A291A', accentInk: '#FEA981', focus: '#FB9C6E', success: '#7CCD8E', successSoft: '#1F3724', warning: '#EDBB64', warningSoft: '#402F17', danger: '#F08F87', dangerSoft: '#4A2321', onDanger: '#290B0A' },
  },
  redruby: {
    light: { bg: '#FAF5F5', surface: '#FFFFFF', sunken: '#F3EDEC', field: '#FAEAEA', line: '#E4DCDB', lineStrong: '#918585', text: '#312224', muted: '#746164', accent: '#9D1B46', accentHover: '#870037', onAccent: '#FFFFFF', accentSoft: '#FFE6E9', accentInk: '#9D1B46', focus: '#BF3F62', success: '#2B7440', successSoft: '#DFF6E2', warning: '#945F0E', warningSoft: '#FDEFD2', danger: '#BD3A2E', dangerSoft: '#FEE9E7', onDanger: '#FFFFFF' },
    dark: { bg: '#191113', surface: '#231B1C', sunken: '#2C2325', field: '#262021', line: '#3B3133', lineStrong: '#7A6D6F', text: '#F2EBEC', muted: '#A99A9C', accent: '#EF91A3', accentHover: '#F8A6B4', onAccent: '#280B12', accentSoft: '#4A262D', accentInk: '#FA9BAC', focus: '#EF91A3', success: '#7CCD8E', successSoft: '#1F3724', warning: '#EDBB64', warningSoft: '#402F17', danger: '#F08F87', dangerSoft: '#4A2321', onDanger: '#290B0A' },
  },
  yellowgranola: {
    light: { bg: '#FAF6EF', surface: '#FFFFFF', sunken: '#F4EEE2', field: '#F5EEDE', line: '#E4DDCF', lineStrong: '#928772', text: '#2D2519', muted: '#6E6557', accent: '#815B16', accentHover: '#6E4B01', onAccent: '#FFFFFF', accentSoft: '#F8EBD8', accentInk: '#805B16', focus: '#9F7938', success: '#2B7440', successSoft: '#DFF6E2', warning: '#945F0E', warningSoft: '#FDEFD2', danger: '#BD3A2E', dangerSoft: '#FEE9E7', onDanger: '#FFFFFF' },
    dark: { bg: '#17130D', surface: '#211D17', sunken: '#2A251E', field: '#24211D', line: '#38332C', lineStrong: '#756F65', text: '#F0ECE7', muted: '#A59D92', accent: '#EBBB6E', accentHover: '#F6CD8D', onAccent: '#211300', accentSoft: '#422F0E', accentInk: '#F5C578', focus: '#EBBB6E', success: '#7CCD8E', successSoft: '#1F3724', warning: '#EDBB64', warningSoft: '#402F17', danger: '#F08F87', dangerSoft: '#4A2321', onDanger: '#290B0A' },
  },
  greysteel: {
    light: { bg: '#F5F7F9', surface: '#FFFFFF', sunken: '#EBEFF2', field: '#F3EEE3', line: '#DADFE3', lineStrong: '#83898F', text: '#22272C', muted: '#60666C', accent: '#45525D', accentHover: '#35424D', onAccent: '#FFFFFF', accentSoft: '#E9EDF2', accentInk: '#45525D', focus: '#616E7A', success: '#2B7440', successSoft: '#DFF6E2', warning: '#945F0E', warningSoft: '#FDEFD2', danger: '#BD3A2E', dangerSoft: '#FEE9E7', onDanger: '#FFFFFF' },
    dark: { bg: '#121416', surface: '#1B1E20', sunken: '#232629', field: '#24211E', line: '#313437', lineStrong: '#6D7275', text: '#E9EDF2', muted: '#96A0A9', accent: '#B1C0CD', accentHover: '#C3D0DB', onAccent: '#11171B', accentSoft: '#2D343A', accentInk: '#BAC9D7', focus: '#B1C0CD', success: '#7CCD8E', successSoft: '#1F3724', warning: '#EDBB64', warningSoft: '#402F17', danger: '#F08F87', dangerSoft: '#4A2321', onDanger: '#290B0A' },
  },
};

/** The timer's disc and the glyph on it (specification section 9). */
export const TIMER = { running: '#80D163', runningGlyph: '#17360D', stopped: '#C3C3C3', stoppedGlyph: '#2B2B2B' } as const;

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** All themes as rules on the root element's attributes; light.blueyale is also what shows without any. */
export function paletteCss(): string {
  const rules = Object.entries(PALETTE_VALUES)
    .sort(([a], [b]) => Number(b === 'blueyale') - Number(a === 'blueyale'))
    .flatMap(([palette, schemes]) =>
      Object.entries(schemes).map(([scheme, values]) => {
        const own = `:root[data-palette='${palette}'][data-mantine-color-scheme='${scheme}']`;
        const selector = palette !== 'blueyale' ? own : scheme === 'light' ? `:root, ${own}` : `:root[data-mantine-color-scheme='dark'], ${own}`;
        return `${selector} { ${Object.entries(values).map(([token, value]) => `--fr-${kebab(token)}: ${value};`).join(' ')} }`;
      }),
    );
  const timer = Object.entries(TIMER).map(([name, value]) => `--fr-timer-${kebab(name)}: ${value};`).join(' ');
  return `:root { ${timer} }\n${rules.join('\n')}\n`;
}
