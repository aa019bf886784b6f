/** A number as it is written into the SVG: hundredths, which no eye tells apart. */
export const svgNumber = (value: number) => (Math.round(value * 100) / 100).toString();
