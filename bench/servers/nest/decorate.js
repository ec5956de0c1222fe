/** What the TypeScript compiler emits for decorators, written as calls: the peers are plain JavaScript. */

/** Decorates a class. */
export function decorateClass(target, ...decorators) {
  for (const decorator of decorators.toReversed()) decorator(target);
}

/** Decorates a method, its parameters by their position, and declares the types of these. */
export function decorateMethod(target, name, { decorators, parameters = [], types = [] }) {
  const { prototype } = target;
  Reflect.defineMetadata('design:paramtypes', types, prototype, name);
  parameters.forEach((decorator, index) => decorator(prototype, name, index));
  for (const decorator of decorators.toReversed()) {
    decorator(prototype, name, Object.getOwnPropertyDescriptor(prototype, name));
  }
}

/** Decorates a property, and declares its type. */
export function decorateProperty(target, name, type, ...decorators) {
  Reflect.defineMetadata('design:type', type, target.prototype, name);
  for (const decorator of decorators) decorator(target.prototype, name);
}
