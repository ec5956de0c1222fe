"""Calls the service through the client that openapi-python-client has made of the document."""

import sys

from client import AuthenticatedClient
from client.api.pets import create_pet, get_pet, list_pets
from client.models import Error, NewPet, Pet, PetStatus

url, other_url, key = sys.argv[1:]
INT64_MAX = 2**63 - 1

with AuthenticatedClient(base_url=url, token=key) as client:
    new_pet = NewPet(name="Rex", category_id=INT64_MAX, status=PetStatus.AVAILABLE)
    created = create_pet.sync_detailed(client=client, body=new_pet, idempotency_key="one")
    assert created.status_code == 201, created
    pet = created.parsed
    assert isinstance(pet, Pet), pet
    assert pet.category_id == INT64_MAX, pet

    assert get_pet.sync(pet.id, client=client) == pet
    assert list_pets.sync(client=client, status=PetStatus.AVAILABLE, after=-(2**63)) == [pet]

    missing = get_pet.sync(INT64_MAX, client=client)
    assert isinstance(missing, Error) and missing.code == "pet_not_found", missing

# Another service answers with a code that this version of the document does not know.
with AuthenticatedClient(base_url=other_url, token=key) as client:
    error = list_pets.sync(client=client)
    assert isinstance(error, Error) and error.code == "not_known_yet", error
