// Files that the build puts into a bundle as text.
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "*.ftl" {
  const text: string;
  export default text;
}
