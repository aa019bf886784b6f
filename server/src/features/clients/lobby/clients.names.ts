/**
 * Names that look alike. Two names are alike when a form of one equals a form of the other. In a form, invisible
 * characters are removed, and width, case and font are unified (NFKC). Letters of other scripts that are drawn like
 * Latin ones count as those. Based on the skeleton of UTS #39, section 4, with the part of its data that people here
 * meet: Cyrillic, Greek, Armenian, phonetic small capitals, and the pairs within ASCII (l I 1, o 0, m rn, w vv).
 * Accents stay: Eva and Éva are two names.
 */

/** Pairs `from to`; capitals that look like another letter than their small form are listed separately. */
const CAPITALS = table(`
  АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ԚQ ԜW ӀI ҮY
  ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX
  ՍU ՕO ՏS ԼL
`);
const SMALL = table(`
  аa вb гr ґr еe ѕs іi јj кk мm нh оo пn рp сc тt уy үy хx ԁd ԛq ԝw һh ӏl ьb ѵv ѡw
  αa βb γy εe ζz ηn ιi κk νv οo ρp σo ςc τt υu χx ωw
  օo սu ոn հh ցg զq յj
  ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz
  ıi ȷj ɑa ɡg ɩi ʋv
`);
/** The Braille blank is invisible too, though Unicode counts it as a symbol. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

function table(pairs: string): ReadonlyMap<string, string> {
  return new Map(
    pairs
      .trim()
      .split(/\s+/u)
      .map((pair) => [...pair] as [string, string]),
  );
}

const drawnAs = (text: string, letters: ReadonlyMap<string, string>) =>
  [...text].map((letter) => letters.get(letter) ?? letter).join('');

function skeleton(text: string): string {
  return drawnAs(text.toLocaleLowerCase('en'), SMALL)
    .replace(/[1|]/gu, 'l')
    .replace(/0/gu, 'o')
    .replace(/rn/gu, 'm')
    .replace(/vv/gu, 'w')
    .normalize('NFC');
}

/** The forms by which a name is compared; the second reads a capital I as the l that it looks like. */
function formsOf(name: string): string[] {
  const plain = name.normalize('NFKC').replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim();
  // Decomposed, so that a letter is found under its accent.
  const latin = drawnAs(plain.normalize('NFD'), CAPITALS);
  return [...new Set([skeleton(latin), skeleton(latin.replace(/I/gu, 'l'))])];
}

/** The names of a room. Takes every name with its owner; `has` tells whether somebody else's name looks like it. */
export function namesOf(all: readonly { id: number; name: string }[]): {
  has(person: { id: number; name: string }): boolean;
} {
  const owners = new Map<string, Set<number>>();
  for (const { id, name } of all) {
    for (const form of formsOf(name)) {
      const known = owners.get(form);
      if (known) known.add(id);
      else owners.set(form, new Set([id]));
    }
  }
  return {
    has: ({ id, name }) => formsOf(name).some((form) => [...(owners.get(form) ?? [])].some((owner) => owner !== id)),
  };
}
