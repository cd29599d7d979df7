import { join } from "node:path";
import {
  isBinaryExpression,
  isElementAccessExpression,
  isStringLiteral,
  isTemplateExpression,
} from "typescript/unstable/ast/is";
import { type Node, type SourceFile, SyntaxKind } from "typescript/unstable/ast";
import { API, type Checker, type Type, TypeFlags } from "typescript/unstable/sync";

import type { Complaint } from "../guards/complaint.ts";

const message =
  "a record is asked by a name that may come from outside, and would answer with what every object inherits " +
  "(`constructor`, `__proto__`): use lookUp of #libs/input, or a Map";

interface Lookup {
  readonly node: Node;
  /** The expression in the brackets or before `in`. */
  readonly name: Node;
}

/** `record[name]` and `name in record`, also as the target of an assignment; string literals are skipped. */
function listLookups(file: SourceFile): readonly Lookup[] {
  const found: Lookup[] = [];
  const visit = (node: Node): void => {
    if (isElementAccessExpression(node)) found.push({ node, name: node.argumentExpression });
    if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) {
      if (!isStringLiteral(node.left)) found.push({ node, name: node.left });
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

const inherited = Object.getOwnPropertyNames(Object.prototype);

/** True for a template such as `runs/${id}.json`, whose fixed text occurs in no inherited property's name. */
function hasOwnText(name: Node): boolean {
  if (!isTemplateExpression(name)) return false;
  const texts = [name.head.text, ...name.templateSpans.map((span) => span.literal.text)];
  return texts.some((text) => text !== "" && inherited.every((each) => !each.includes(text)));
}

const anyText =
  TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping | TypeFlags.Any | TypeFlags.Unknown;

/** True for a type that can be any text; a union of literals cannot. */
function canBeAnyText(checker: Checker, type: Type | undefined): boolean {
  if (type === undefined) return true;
  if ((type.flags & anyText) !== 0) return true;
  if (type.isUnionType() || type.isIntersectionType())
    return type.getTypes().some((part) => canBeAnyText(checker, part));
  if ((type.flags & (TypeFlags.TypeParameter | TypeFlags.Index | TypeFlags.IndexedAccess)) === 0) return false;
  const bound = checker.getBaseConstraintOfType(type);
  return bound === undefined || bound.id === type.id || canBeAnyText(checker, bound);
}

/** Reads the TypeScript project at `root`; complains about each lookup by a text that is not a union of literals. */
export function findLookups(root: string, isChecked: (path: string) => boolean): readonly Complaint[] {
  const api = new API({ cwd: root });
  try {
    const configFile = join(root, "tsconfig.json");
    const project = api.updateSnapshot({ openProjects: [configFile] }).getProjects()[0];
    if (project === undefined) throw new Error(`${configFile} is no project`);
    const paths = project.program.getSourceFileNames().filter((path) => path.startsWith(`${root}/`));
    return paths.flatMap((path) => {
      const name = path.slice(root.length + 1);
      const file = isChecked(name) ? project.program.getSourceFile(path) : undefined;
      const lookups = file === undefined ? [] : listLookups(file);
      if (lookups.length === 0) return [];
      const types = project.checker.getTypeAtLocation(lookups.map((each) => each.name));
      return lookups.flatMap(({ node, name: asked }, index) => {
        if (hasOwnText(asked) || !canBeAnyText(project.checker, types[index])) return [];
        const line = file?.text.slice(0, node.getStart(file)).split("\n").length ?? 0;
        return [{ path: name, line, message }];
      });
    });
  } finally {
    api.close();
  }
}
